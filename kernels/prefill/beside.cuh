/*
 * kernels/prefill/beside.cuh - a group's part of a piece of work, with its
 * powers beside its own product.
 */
#ifndef KERNELS_PREFILL_BESIDE_CUH
#define KERNELS_PREFILL_BESIDE_CUH

#include "kernels/prefill/tiles.cuh"

// ANCHOR: beside
/* Scores become weights while the group's product runs; then old sums are
 * brought to the new maximum. */
struct beside {
    template <class T, class WAIT>
    static __device__ __forceinline__ void weigh(state<T> &x, const space<T> &r,
                                                 float scale, WAIT sums_there)
    {
        float back[2];

        soften(x.s, scale, x.of, back);
        wgmma_settled(x.of.sum[0], x.of.sum[1], &r.b->spare);
        sums_there();
        scale_rows(x.o, back);
    }
};
// ANCHOR_END: beside

/* Tile i to come, which is not the first; n is the tile before. */
template <class T, class WEIGH>
static __device__ __forceinline__ void
go_on(state<T> &x, const space<T> &r, const attention &a, const piece &w, int n,
      int i, bool hides, int place)
{
    ring &b = *r.b;

    // ANCHOR: inner
    ptx_mbar_wait(&b.k_full[(n + 1) % SLOTS], parity(n + 1));
    ptx_mbar_wait(&b.v_full[n % SLOTS], parity(n));
    turn_wait<T>(x.group);
    wgmma_begin();
    start_scores(x, r, n + 1, place);
    wgmma_commit();
    start_values(x, r, n);
    wgmma_commit();
    turn_pass<T>(x.group);
    wgmma_wait<1>(); /* the scores are there */
    wgmma_landed(x.s);
    slot_free<T>(&b.k_empty[(n + 1) % SLOTS]);
    if (hides)
        hide_of(x, a, w, i);
    WEIGH::weigh(x, r, read_behind(&b.scale), [&] {
        wgmma_wait<0>();
        wgmma_landed(x.o);
        slot_free<T>(&b.v_empty[n % SLOTS]);
    });
    wgmma_ready(x.o);
    pack(x);
    // ANCHOR_END: inner
}

/* The weights of a piece's first tile, which is tile n of the block. */
template <class T>
static __device__ __forceinline__ void begin(state<T> &x, const space<T> &r,
                                             const attention &a, const piece &w,
                                             int n, int place)
{
    ring &b = *r.b;
    float back[2];

    x.of = online_begin();
#pragma unroll
    for (int e = 0; e < T::D / 2; e++)
        x.o[e] = 0;
    queries<T::KEPT>::take(x, r, place);
    ptx_mbar_wait(&b.k_full[n % SLOTS], parity(n));
    turn_wait<T>(x.group);
    wgmma_begin();
    start_scores(x, r, n, place);
    wgmma_commit();
    turn_pass<T>(x.group);
    wgmma_wait<0>();
    wgmma_landed(x.s);
    slot_free<T>(&b.k_empty[n % SLOTS]);
    hide_of(x, a, w, 0);
    soften(x.s, b.scale, x.of, back);
    pack(x);
    wgmma_ready(x.o);
}

/* All other tiles; n is the number of the last one afterwards. */
template <class T, class WEIGH>
static __device__ __forceinline__ void others(state<T> &x, const space<T> &r,
                                              const attention &a,
                                              const piece &w, int &n, int place)
{
    int i = 1;

    if (T::HIGH % T::KEYS != 0) /* the diagonal runs through several tiles */
        for (; i < w.hidden; i++, n++)
            go_on<T, WEIGH>(x, r, a, w, n, i, true, place);
    for (; i < w.tiles; i++, n++)
        go_on<T, WEIGH>(x, r, a, w, n, i, false, place);
}

/* The product of the last tile's weights. */
template <class T>
static __device__ __forceinline__ void end(state<T> &x, const space<T> &r,
                                           int &n)
{
    ring &b = *r.b;

    ptx_mbar_wait(&b.v_full[n % SLOTS], parity(n));
    turn_wait<T>(x.group);
    wgmma_begin();
    start_values(x, r, n);
    wgmma_commit();
    turn_pass<T>(x.group);
    wgmma_wait<0>();
    wgmma_landed(x.o);
    slot_free<T>(&b.v_empty[n % SLOTS]);
    n++;
}

/* A block for each piece, as in prefill/order: what its threads do. */
template <class T, class WEIGH>
static __device__ __forceinline__ void
one_piece(const attention &a, const piece &w, char *raw,
          const CUtensorMap *q_map, const CUtensorMap *k_map,
          const CUtensorMap *v_map)
{
    const space<T> r(raw);
    const int group = uniform(threadIdx.x / WGMMA_GROUP);
    int n = 0;

    if (threadIdx.x == 0)
        ring_init<T>(*r.b, a);
    __syncthreads(); /* the barriers are ready */
    if (group == T::GROUPS) {
        wgmma_give_registers<T::FEW>();
        if (threadIdx.x % WGMMA_GROUP == 0) {
            ask_queries(r, q_map, w, 0);
            ask_tiles(r, k_map, v_map, a, w, n);
        }
    } else {
        state<T> x;

        wgmma_take_registers<T::MANY>();
        x.group = group;
        turns_begin<T>(group);
        ptx_mbar_wait(&r.b->q_full[0], 0);
        begin(x, r, a, w, n, 0);
        others<T, WEIGH>(x, r, a, w, n, 0);
        end(x, r, n);
        put_rows<T::D>(a, w.first + threadIdx.x / WARP * PART, w.h, x.o, x.of);
    }
}

#endif

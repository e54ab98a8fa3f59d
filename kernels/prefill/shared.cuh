/*
 * kernels/prefill/shared.cuh - two blocks of a cluster fetch keys together, and
 * go from piece to piece without a seam.
 */
#ifndef KERNELS_PREFILL_SHARED_CUH
#define KERNELS_PREFILL_SHARED_CUH

#include "kernels/prefill/seamless.cuh"

/*
 * Piece i of this block; or all of them, if there is none. Pairs of pieces are
 * numbered from the longest to the shortest and dealt out forwards and
 * backwards by turns, as in resident.cuh. The blocks of a cluster have
 * neighbouring heads.
 */
template <class T>
static __device__ __forceinline__ int dealt(const attention &a, int i)
{
    const int across = a.heads / T::BLOCKS;
    const int hands = gridDim.x / T::BLOCKS, hand = blockIdx.x / T::BLOCKS;
    const int number = i * hands + (i % 2 ? hands - 1 - hand : hand);

    return min(number / across * a.heads + number % across * T::BLOCKS +
                   (int)cluster_rank(),
               pieces<T>(a));
}

/* This block's share of tile i to come, for all blocks of the cluster. */
template <class T>
static __device__ __forceinline__ void
ask_share(char *to, const CUtensorMap *map, const attention &a, const piece &w,
          int i, uint64_t *full)
{
    const uint64_t keep = ptx_evict_normal();
    const int from = (int)cluster_rank() * (T::KEYS / T::BLOCKS);

    ptx_mbar_expect(full, T::K); /* all of it, whoever asked */
#pragma unroll
    for (int p = 0; p < T::D / PANEL; p++)
        cluster_tile_load(to + p * T::K_PANEL + from * TENSOR_MAP_PANEL, map,
                          w.h / a.group * T::D + p * PANEL,
                          (w.tiles - 1 - i) * T::KEYS + from, full,
                          (1 << T::BLOCKS) - 1, keep);
}

/* The thread that asks. */
template <class T>
static __device__ __forceinline__ void
fetch_shared(const space<T> &r, const CUtensorMap *q_map,
             const CUtensorMap *k_map, const CUtensorMap *v_map,
             const attention &a)
{
    ring &b = *r.b;
    int number;

    for (int i = 0, n = 0;; i++) {
        const int place = i % T::PLACES;

        number = dealt<T>(a, i);
        ptx_mbar_wait(&b.q_empty[place], !(i / T::PLACES & 1));
        b.piece[place] = number;
        if (number == pieces<T>(a)) {
            ptx_mbar_arrive(&b.q_full[place]); /* there is no other piece */
            break;
        }
        const piece w = piece_number<T>(a, number);

        ask_queries(r, q_map, w, place);
        for (int j = 0; j < w.tiles; j++, n++) {
            const int s = n % SLOTS;

            cluster_wait(&b.k_empty[s], !parity(n));
            ask_share<T>(r.k + s * T::K, k_map, a, w, j, &b.k_full[s]);
            cluster_wait(&b.v_empty[s], !parity(n));
            ask_share<T>(r.v + s * T::K, v_map, a, w, j, &b.v_full[s]);
        }
    }
}

/* What the threads of a block do. */
template <class T, class PUT>
static __device__ __forceinline__ void
shared_pieces(const attention &a, const space<T> &r, const CUtensorMap *q_map,
              const CUtensorMap *k_map, const CUtensorMap *v_map, PUT put)
{
    const int group = uniform(threadIdx.x / WGMMA_GROUP);

    if (threadIdx.x == 0)
        ring_init<T>(*r.b, a);
    cluster_sync(); /* the barriers are ready, in all blocks */
    if (group == T::GROUPS) {
        wgmma_give_registers<T::FEW>();
        if (threadIdx.x % WGMMA_GROUP == 0)
            fetch_shared(r, q_map, k_map, v_map, a);
    } else {
        state<T> x;

        wgmma_take_registers<T::MANY>();
        x.group = group;
        turns_begin<T>(group);
        seamless::multiply<T, lazy>(x, r, a, put);
    }
}

#endif

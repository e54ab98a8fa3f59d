/*
 * kernels/prefill/drawn.cuh - a block for each SM, which draws its pieces of
 * work.
 */
#ifndef KERNELS_PREFILL_DRAWN_CUH
#define KERNELS_PREFILL_DRAWN_CUH

#include "kernels/prefill/lazy.cuh"
#include "kernels/tickets.cuh"

/* Piece `number` of a case: from the longest to the shortest, and heads with
 * the same keys side by side. */
template <class T>
static __device__ __forceinline__ piece piece_number(const attention &a,
                                                     int number)
{
    return piece_of<T>(a, ceil_div(a.l, T::HIGH) - 1 - number / a.heads,
                       number % a.heads);
}

template <class T>
static __host__ __device__ inline int pieces(const attention &a)
{
    return ceil_div(a.l, T::HIGH) * a.heads;
}

// ANCHOR: draw
/* The thread that asks. It draws the next piece before it asks for the tiles of
 * this one; groups learn the number with the queries. */
template <class T>
static __device__ __forceinline__ void
fetch_drawn(const space<T> &r, const CUtensorMap *q_map,
            const CUtensorMap *k_map, const CUtensorMap *v_map,
            const attention &a, struct tickets *t)
{
    ring &b = *r.b;
    int number = blockIdx.x, i = 0, n = 0;

    for (; number < pieces<T>(a); i++) {
        const int next = tickets_draw(t, gridDim.x);
        const piece w = piece_number<T>(a, number);

        ptx_mbar_wait(&b.q_empty[i % T::PLACES], !(i / T::PLACES & 1));
        b.piece[i % T::PLACES] = number;
        ask_queries(r, q_map, w, i % T::PLACES);
        ask_tiles(r, k_map, v_map, a, w, n);
        number = next;
    }
    ptx_mbar_wait(&b.q_empty[i % T::PLACES], !(i / T::PLACES & 1));
    b.piece[i % T::PLACES] = number;
    ptx_mbar_arrive(&b.q_full[i % T::PLACES]); /* there is no other piece */
    tickets_end(t, gridDim.x);
}

/* The number of the block's piece i, as soon as its queries are there. */
template <class T>
static __device__ __forceinline__ int drawn(const ring &b, int i)
{
    ptx_mbar_wait((uint64_t *)&b.q_full[i % T::PLACES], i / T::PLACES & 1);
    return uniform(b.piece[i % T::PLACES]);
}

/* A group: pieces until there are no more. put(o, of, w) writes outputs. */
struct one_by_one {
    template <class T, class WEIGH, class PUT>
    static __device__ __forceinline__ void
    multiply(state<T> &x, const space<T> &r, const attention &a, PUT put)
    {
        int number;

        for (int i = 0, n = 0; (number = drawn<T>(*r.b, i)) < pieces<T>(a);
             i++) {
            const piece w = piece_number<T>(a, number);

            n = uniform(n);
            begin(x, r, a, w, n, 0);
            others<T, WEIGH>(x, r, a, w, n, 0);
            done_with(&r.b->q_empty[0]);
            end(x, r, n);
            put(x.o, x.of, w);
        }
    }
};
// ANCHOR_END: draw

/* What the threads of a block do. */
template <class T, class WEIGH, class HOW, class PUT>
static __device__ __forceinline__ void
all_pieces(const attention &a, const space<T> &r, const CUtensorMap *q_map,
           const CUtensorMap *k_map, const CUtensorMap *v_map,
           struct tickets *t, PUT put)
{
    const int group = uniform(threadIdx.x / WGMMA_GROUP);

    if (threadIdx.x == 0)
        ring_init<T>(*r.b, a);
    __syncthreads(); /* the barriers are ready */
    if (group == T::GROUPS) {
        wgmma_give_registers<T::FEW>();
        if (threadIdx.x % WGMMA_GROUP == 0)
            fetch_drawn(r, q_map, k_map, v_map, a, t);
    } else {
        state<T> x;

        wgmma_take_registers<T::MANY>();
        x.group = group;
        turns_begin<T>(group);
        HOW::template multiply<T, WEIGH>(x, r, a, put);
    }
}

#endif

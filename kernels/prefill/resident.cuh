/*
 * kernels/prefill/resident.cuh - a block for each SM, which goes on from one
 * piece of work to the next, and which pieces are whose.
 */
#ifndef KERNELS_PREFILL_RESIDENT_CUH
#define KERNELS_PREFILL_RESIDENT_CUH

#include "kernels/prefill/overlap.cuh"

/* Barriers behind those of the block: the queries may be overwritten. */
struct more_barriers {
    barriers of;
    uint64_t q_empty;
};

enum { MORE = sizeof(more_barriers) - sizeof(barriers) };

// ANCHOR: deal
/*
 * Work is numbered from the longest to the shortest, head by head; PER blocks
 * of a cluster have neighbouring heads. Rounds of it are dealt out forwards and
 * backwards by turns: who got the longest of one round gets the shortest of the
 * next. `mine(w, i)` is called for each piece, where i counts those of this
 * block.
 */
template <int PER, class MINE>
static __device__ __forceinline__ void deal(const attention &a, MINE mine)
{
    const int rows = ceil_div(a.l, HIGH), across = a.heads / PER;
    const int hands = gridDim.x / PER, hand = blockIdx.x / PER;
    const int head = PER > 1 ? (int)cluster_rank() : 0;
    int i = 0;

    for (int round = 0; round * hands < rows * across; round++) {
        const int number =
            round * hands + (round % 2 ? hands - 1 - hand : hand);

        if (number < rows * across)
            mine(work_of(a, rows - 1 - number / across,
                         number % across * PER + head),
                 i++);
    }
}
// ANCHOR_END: deal

/* The part of a warp group: all pieces of the block. Slots go on from piece to
 * piece. done() is that of turns.cuh. */
template <int D, int PER, class DONE>
static __device__ __forceinline__ void
multiply_all(const attention &a, const room<D> &r, uint64_t *q_empty, DONE done)
{
    int n = 0;

    turns_begin();
    deal<PER>(a, [&](const work &w, int piece) {
        ptx_mbar_wait(&r.b->q, piece & 1);
        attend(a, w, r, n, done, [&] { done_with(q_empty); });
    });
}

#endif

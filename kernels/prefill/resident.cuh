/*
 * kernels/prefill/resident.cuh - a block for each SM, which goes on from one
 * piece of work to the next, and which pieces are whose.
 */
#ifndef KERNELS_PREFILL_RESIDENT_CUH
#define KERNELS_PREFILL_RESIDENT_CUH

#include "kernels/prefill/turns.cuh"

/* Barriers behind those of the block: the queries may be overwritten. */
struct more_barriers {
    barriers of;
    uint64_t q_empty;
};

// ANCHOR: deal
/*
 * Work is numbered from the longest to the shortest, head by head. Rounds of it
 * are dealt out to the blocks forwards and backwards by turns: who got the
 * longest of one round gets the shortest of the next. `mine(w, i)` is called
 * for each piece, where i counts those of this block.
 */
template <class MINE>
static __device__ __forceinline__ void deal(const attention &a, MINE mine)
{
    const int rows = ceil_div(a.l, HIGH), all = rows * a.heads;
    const int blocks = gridDim.x, block = blockIdx.x;
    int i = 0;

    for (int round = 0; round * blocks < all; round++) {
        const int number =
            round * blocks + (round % 2 ? blocks - 1 - block : block);

        if (number < all)
            mine(work_of(a, rows - 1 - number / a.heads, number % a.heads),
                 i++);
    }
}
// ANCHOR_END: deal

#endif

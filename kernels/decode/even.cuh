/*
 * kernels/decode/even.cuh - the even share of kernels/decode/share.cuh, in 32
 * bits: no product of two large numbers, and no division of 64 bits.
 *
 * With T tiles and n blocks each block has T / n tiles, rounded down, and the
 * first T mod n of them one more.
 */
#ifndef KERNELS_DECODE_EVEN_CUH
#define KERNELS_DECODE_EVEN_CUH

#include "kernels/decode/share.cuh"

// ANCHOR: share
/* share_of(), with tiles cut so. A warp. */
template <int ROWS>
static __device__ __forceinline__ struct share share_even(const attention &a)
{
    const int lane = threadIdx.x % WARP, keys = keys_in(a, lane);
    const int b = blockIdx.x;
    int all = ceil_div(keys, SIDE);

    for (int s = lane + WARP; s < a.b; s += WARP)
        all += ceil_div(keys_in(a, s), SIDE);
    all = __shfl_sync(0xffffffffu, sum_below(all), WARP - 1) * rows_of<ROWS>(a);
    const int blocks = min(gridDim.x, all), each = all / blocks;
    const int more = all - each * blocks, begin = each * b + min(b, more);

    if (b >= blocks)
        return {0, 0, all, blocks, {}};
    return {begin, begin + each + (b < more), all, blocks,
            place_of<ROWS>(a, begin, keys)};
}

/* The block that has tile n. */
static __device__ __forceinline__ int block_even(const struct share &s, int n)
{
    const int each = s.all / s.blocks, more = s.all - each * s.blocks;
    const int of_first = more * (each + 1); /* tiles of those with one more */

    return n < of_first ? n / (each + 1) : more + (n - of_first) / each;
}
// ANCHOR_END: share

#endif

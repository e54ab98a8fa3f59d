/*
 * kernels/decode/last.cuh - the block that is done last joins the parts of a
 * row, so that no second kernel is needed.
 */
#ifndef KERNELS_DECODE_LAST_CUH
#define KERNELS_DECODE_LAST_CUH

#include "kernels/decode/tensor.cuh"
#include "kernels/splitk/ptx.cuh"

enum { ALL_MULTIPLY = 1 /* number of the barrier of those that multiply */ };

// ANCHOR: last
/* Those that multiply: counts the block, and says whether all `parts` of the
 * row have been counted. The last one puts the counter back. */
static __device__ __forceinline__ bool is_last(uint32_t *count, uint32_t parts)
{
    __shared__ bool last;

    ptx_sync_some(ALL_MULTIPLY, BESIDE); /* all have left their sums */
    if (threadIdx.x == 0) {
        last = part_arrive(count) == parts - 1;
        if (last)
            *count = 0; /* for the next launch */
    }
    ptx_sync_some(ALL_MULTIPLY, BESIDE);
    return last;
}
// ANCHOR_END: last

/*
 * Those that multiply, when their sums are in shared memory: outputs of a row
 * of n parts, of which this is number `mine`. Part i has place at(i) among `p`.
 */
template <int ROWS, class AT>
static __device__ __forceinline__ void
finish(const attention &a, const struct row &r, warp_parts<ROWS> &sums,
       const parts &p, int n, int mine, AT at, uint32_t *count)
{
    const int warp = threadIdx.x / WARP;

    for (int h = warp; h < r.heads; h += WARPS) {
        struct weight all;
        const float4 o = join_warps(sums, h, all);

        if (n == 1)
            put(a, query_of(a, r, h), o, all);
        else
            leave(p, at(mine), h, o, all);
    }
    if (n == 1 || !is_last(count, n))
        return;
    for (int h = warp; h < r.heads; h += WARPS) {
        struct weight all;
        const float4 o = join(p, h, n, at, all);

        put(a, query_of(a, r, h), o, all);
    }
}

#endif

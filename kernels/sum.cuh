/*
 * kernels/sum.cuh - sums across the threads of a warp and of a block.
 */
#ifndef KERNELS_SUM_CUH
#define KERNELS_SUM_CUH

#include "kernels/warp.h"

#define SUM_FN static __device__ __forceinline__

SUM_FN float sum_vector(float4 v)
{
    return (v.x + v.y) + (v.z + v.w);
}

/*
 * Sum over the 32 lanes, in every lane. Each step adds the value of the
 * lane whose number differs in one bit: five steps in registers, without
 * shared memory or a barrier.
 */
SUM_FN float sum_warp(float v)
{
    for (int lane = WARP / 2; lane > 0; lane /= 2)
        v += __shfl_xor_sync(0xffffffff, v, lane);
    return v;
}

/*
 * Sum over all threads of a block of THREADS, valid in warp 0. One barrier:
 * the warps hand their sums to the first. To call it again in the same
 * kernel, put a __syncthreads() between.
 */
template <int THREADS> SUM_FN float sum_block(float v)
{
    constexpr int WARPS = THREADS / WARP;
    __shared__ float part[WARPS];
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;

    static_assert(THREADS % WARP == 0 && WARPS <= WARP);
    v = sum_warp(v);
    if (lane == 0)
        part[warp] = v;
    __syncthreads();
    return warp == 0 ? sum_warp(lane < WARPS ? part[lane] : 0.0f) : 0.0f;
}

#endif

/*
 * kernels/prefill/mma.cuh - what a warp multiplies with mma.sync: its rows of
 * queries by a tile of keys, and its weights by a tile of values.
 *
 * A warp has N times 16 queries. `at(row, e)` says where eight elements of a
 * row from e on lie in shared memory.
 */
#ifndef KERNELS_PREFILL_MMA_CUH
#define KERNELS_PREFILL_MMA_CUH

#include "kernels/prefill/online.cuh"
#include "kernels/prefill/ptx.cuh"

enum { SIDE = 64 /* keys of a tile */ };

/* 16 queries, 16 elements of each: the left operand. */
template <class AT>
static __device__ __forceinline__ void queries(uint32_t (&q)[4], AT at, int row,
                                               int e)
{
    const int lane = threadIdx.x % WARP;

    ptx_ldmatrix(q, at(row + lane % 16, e + lane / 16 * WIDTH));
}

// ANCHOR: products
/* s += Q K' for 16 elements from e on; a piece of keys serves all N times 16
 * queries. */
template <int N, class AT>
static __device__ __forceinline__ void
multiply_keys(float (&s)[N][SIDE / 2], const uint32_t (&q)[N][4], AT at, int e)
{
    const int lane = threadIdx.x % WARP;

#pragma unroll
    for (int c = 0; c < SIDE / 16; c++) {
        uint32_t k[4];

        ptx_ldmatrix(
            k, at(c * 16 + lane / 16 * 8 + lane % 8, e + lane / 8 % 2 * WIDTH));
#pragma unroll
        for (int n = 0; n < N; n++) {
            ptx_mma_bf16(&s[n][8 * c], q[n], k[0], k[1]);
            ptx_mma_bf16(&s[n][8 * c + 4], q[n], k[2], k[3]);
        }
    }
}

/* o += P V. Values lie with their elements side by side, and the sum runs over
 * keys, so they are turned on their way to registers. */
template <int D, int N, class AT>
static __device__ __forceinline__ void
multiply_values(float (&o)[N][D / 2], const float (&s)[N][SIDE / 2], AT at)
{
    const int lane = threadIdx.x % WARP;

#pragma unroll
    for (int step = 0; step < SIDE / 16; step++) {
        uint32_t p[N][4];

#pragma unroll
        for (int n = 0; n < N; n++)
            weights(p[n], s[n], step);
#pragma unroll
        for (int c = 0; c < D / 16; c++) {
            uint32_t v[4];

            ptx_ldmatrix_turned(
                v, at(step * 16 + lane % 16, c * 16 + lane / 16 * WIDTH));
#pragma unroll
            for (int n = 0; n < N; n++) {
                ptx_mma_bf16(&o[n][8 * c], p[n], v[0], v[1]);
                ptx_mma_bf16(&o[n][8 * c + 4], p[n], v[2], v[3]);
            }
        }
    }
}
// ANCHOR_END: products

#endif

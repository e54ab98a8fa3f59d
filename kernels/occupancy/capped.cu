/*
 * occupancy/capped - the same, with registers capped for full occupancy.
 *
 * This is what tuning for occupancy does: sixteen blocks are to fit on an SM,
 * so a thread has 32 registers, and a batch of loads must fit into them. The
 * source still requests UNROLL vectors before it adds the first. But the
 * compiler puts additions between the loads, and fewer are in flight than the
 * case says.
 *
 * Predicted before any run: at the same number of warps, no more bandwidth
 * from 16 loads than from 4.
 */
#include "kernels/occupancy/read.cuh"

enum { BLOCKS = 16 }; /* of 128 threads: all 2048 of an SM */

template <int UNROLL>
// ANCHOR: inner
static __global__ void __launch_bounds__(OCCUPANCY_THREADS, BLOCKS)
    read(float *sums, const float *x, size_t n)
// ANCHOR_END: inner
{
    const unsigned lane = threadIdx.x % WARP;
    const size_t step = (size_t)gridDim.x * OCCUPANCY_WARPS;
    const uint64_t once = ptx_evict_first();
    size_t piece = blockIdx.x * (size_t)OCCUPANCY_WARPS + threadIdx.x / WARP;

    for (; (piece + 1) * OCCUPANCY_PIECE <= n; piece += step) {
        const float4 *p = (const float4 *)(x + piece * OCCUPANCY_PIECE) + lane;
        float sum = 0;

#pragma unroll 1
        for (int r = 0; r < OCCUPANCY_ROWS; r += UNROLL) {
            float4 v[UNROLL];

            for (int k = 0; k < UNROLL; k++)
                v[k] = ptx_load_once(p + (r + k) * WARP, once);
            for (int k = 0; k < UNROLL; k++)
                sum += sum_vector(v[k]);
        }
        sums[piece * WARP + lane] = sum;
    }
    if (piece * OCCUPANCY_PIECE < n)
        sums[piece * WARP + lane] = read_rest(x, piece, n);
}

extern "C" int occupancy_capped(const struct kernel_case *c,
                                const struct kernel_env *env, void *const *buf,
                                void *)
{
    switch (kernel_num(c, "unroll")) {
    case 4:
        return read_launch(read<4>, c, env, buf);
    case 8:
        return read_launch(read<8>, c, env, buf);
    case 16:
        return read_launch(read<16>, c, env, buf);
    default:
        return cudaErrorInvalidValue;
    }
}

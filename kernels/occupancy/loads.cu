/*
 * occupancy/loads - a chosen number of warps, with a chosen number of loads
 * each.
 *
 * Little's law: bytes in flight equal rate times latency. To read at the rate
 * of the memory, an SM must have its share of rate times latency in flight at
 * all times, whichever threads requested it. There are two ways to get there:
 * more warps, which occupancy counts, or more loads before the first is used,
 * for which the register file has room.
 *
 * Here the case sets both. A block asks for shared memory that it does not use,
 * so that only so many blocks fit; and each thread requests UNROLL vectors of
 * 16 bytes before it adds the first. Compilers avoid that: to save registers,
 * they add what has landed before they request the rest (capped.cu). So the
 * vector that was asked for last is added first, and the loads are of a kind
 * that stays in order. The loop over the batches must stay a loop: if it were
 * unrolled, the next batch would begin early.
 *
 * Predicted before any run: bandwidth rises in a straight line to about 32 KiB
 * per SM and is flat from 64 on, whichever way they were made.
 */
#include "kernels/occupancy/read.cuh"

// ANCHOR: inner
template <int UNROLL>
static __global__ void __launch_bounds__(OCCUPANCY_THREADS,
                                         UNROLL <= 4 ? 16 : 1)
    read(float *sums, const float *x, size_t n)
{
    const unsigned lane = threadIdx.x % WARP;
    const size_t step = (size_t)gridDim.x * OCCUPANCY_WARPS;
    const uint64_t once = ptx_evict_first();
    size_t piece = blockIdx.x * (size_t)OCCUPANCY_WARPS + threadIdx.x / WARP;

    for (; (piece + 1) * OCCUPANCY_PIECE <= n; piece += step) {
        const float4 *p = (const float4 *)(x + piece * OCCUPANCY_PIECE) + lane;
        float4 sum = {};

#pragma unroll 1
        for (int r = 0; r < OCCUPANCY_ROWS; r += UNROLL) {
            float4 v[UNROLL];

            for (int k = 0; k < UNROLL; k++)
                v[k] = read_in_order(p + (r + k) * WARP, once);
            for (int k = UNROLL - 1; k >= 0; k--)
                sum = read_add(sum, v[k]);
        }
        sums[piece * WARP + lane] = sum_vector(sum);
    }
    if (piece * OCCUPANCY_PIECE < n)
        sums[piece * WARP + lane] = read_rest(x, piece, n);
}
// ANCHOR_END: inner

extern "C" int occupancy_loads(const struct kernel_case *c,
                               const struct kernel_env *env, void *const *buf,
                               void *)
{
    switch (kernel_num(c, "unroll")) {
    case 1:
        return read_launch(read<1>, c, env, buf);
    case 2:
        return read_launch(read<2>, c, env, buf);
    case 4:
        return read_launch(read<4>, c, env, buf);
    case 8:
        return read_launch(read<8>, c, env, buf);
    case 16:
        return read_launch(read<16>, c, env, buf);
    case 32:
        return read_launch(read<32>, c, env, buf);
    default:
        return cudaErrorInvalidValue;
    }
}

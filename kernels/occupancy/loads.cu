/*
 * So many warps, so many loads each.
 *
 * Little's law: what is under way equals rate times latency. To read at the
 * memory's rate, a multiprocessor must have its share of rate times latency
 * asked for at all times, and it does not matter by whom. Two things can
 * supply it: more warps, which is what occupancy counts, or more loads before
 * the first is used, which is what a register file is for.
 *
 * Here both are set. Shared memory that nobody uses is asked for, so that
 * only so many blocks fit; and each thread asks for UNROLL vectors of 16
 * bytes before it adds the first. A compiler does not like to do so: it saves
 * registers and adds what has come before it asks for the rest (capped.cu).
 * So the vector that was asked for last is added first, and the loads are of
 * a kind that stays in order. The loop over the batches is kept a loop:
 * unrolled, the next batch would begin early.
 *
 * Predicted before any run: bandwidth rises in a straight line to about 32
 * KiB per multiprocessor and is flat from 64 on, whichever way they were made.
 */
#include "kernels/occupancy/read.cuh"

// ANCHOR: inner
template <int UNROLL>
static __global__ void __launch_bounds__(OCCUPANCY_THREADS,
                                         UNROLL <= 4 ? 16 : 1)
    read(float *sums, const float *x, size_t n)
{
    const unsigned lane = threadIdx.x % OCCUPANCY_LANES;
    const size_t step = (size_t)gridDim.x * OCCUPANCY_WARPS;
    const uint64_t once = ptx_evict_first();
    size_t piece =
        blockIdx.x * (size_t)OCCUPANCY_WARPS + threadIdx.x / OCCUPANCY_LANES;

    for (; (piece + 1) * OCCUPANCY_PIECE <= n; piece += step) {
        const float4 *p = (const float4 *)(x + piece * OCCUPANCY_PIECE) + lane;
        float4 sum = {};

#pragma unroll 1
        for (int r = 0; r < OCCUPANCY_ROWS; r += UNROLL) {
            float4 v[UNROLL];

            for (int k = 0; k < UNROLL; k++)
                v[k] = read_in_order(p + (r + k) * OCCUPANCY_LANES, once);
            for (int k = UNROLL - 1; k >= 0; k--)
                sum = read_add(sum, v[k]);
        }
        sums[piece * OCCUPANCY_LANES + lane] = sum_vector(sum);
    }
    if (piece * OCCUPANCY_PIECE < n)
        sums[piece * OCCUPANCY_LANES + lane] = read_rest(x, piece, n);
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

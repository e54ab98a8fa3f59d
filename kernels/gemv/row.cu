/*
 * gemv/row - the whole row in flight.
 *
 * y[m][n] = Σ_k x[m][k] W[n][k]; blockIdx.y is the token m.
 *
 * In gemv/vector a warp goes round its loop with a load or a few in flight, as
 * many as the compiler chose to unroll. Here a warp asks for its row at once:
 * up to 16 loads of 512 bytes, 8 KB, before it touches the first. A row of 4096
 * weights takes one round; longer rows several, of a length chosen so that no
 * rest is left (four times 14 loads for 14336).
 *
 * The bytes in flight now come from few warps with many loads each, not from
 * many warps with few. For Little's law the sum is the same. But a row that is
 * requested at once is one long run of neighbouring addresses, which DRAM
 * answers from few open pages. And a warp that has made all its requests makes
 * room for the next warp sooner.
 *
 * The loads carry the hint that the line is used once (no place in L1, first to
 * leave L2), so that the caches keep x.
 *
 * The kernel is in row.cuh. Rows that do not start at multiples of 16 bytes
 * are left to gemv/warp.
 *
 * Predicts: 90 % for weights of 100 MB and more, 95 % for the largest; for
 * the smallest, 7 µs worth of reading, the start and the end of the kernel
 * weigh as much as a third of that.
 */
#include "kernels/gemv/row.cuh"

extern "C" int gemv_row(const struct kernel_case *c,
                        const struct kernel_env *env, void *const *buf,
                        void *state)
{
    struct linear l = linear_of(c, buf);

    if (!linear_aligned(&l))
        return gemv_warp(c, env, buf, state);
    return row_launch_best<false>(&l, (cudaStream_t)env->stream);
}

/*
 * gemv/overlap - the launch overlaps with the kernel before.
 *
 * y[m][n] = Σ_k x[m][k] W[n][k]; blockIdx.y is the token m.
 *
 * A decoder runs one linear layer after another. Between two layers there is an
 * end, a gap and a start, in which memory idles. Only x depends on the layer
 * before; the weights do not. So this kernel starts as soon as the one before
 * has no more blocks to place (programmatic dependent launch, in ptx.cuh). Its
 * source requests weights at once, and waits for the end of the other kernel
 * only before it touches x. But the compiler moves these loads behind the wait,
 * as the machine code shows. So only the start of the kernel overlaps.
 *
 * It is gemv/row with those two instructions and one launch attribute. The gain
 * lies between two kernels: timed alone, on an idle device, it is gemv/row.
 *
 * Predicts: one to two microseconds per kernel in a chain of such kernels,
 * so most for the small layers.
 */
#include "kernels/gemv/row.cuh"

extern "C" int gemv_overlap(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *state)
{
    struct linear l = linear_of(c, buf);

    if (!linear_aligned(&l))
        return gemv_warp(c, env, buf, state);
    return row_launch_best<true>(&l, (cudaStream_t)env->stream);
}

/*
 * gemv/overlap - start before the kernel before has ended.
 *
 * y[m][n] = Σ_k x[m][k] W[n][k]; blockIdx.y is the token m.
 *
 * Idea: a decoder runs one linear layer after another, and a layer's time is
 * only as long as its weights take plus an end, a gap and a start, in which
 * memory idles. The weights do not depend on the layer before; only x does.
 * So let the kernel start as soon as the one before has no more blocks to
 * place, ask for its weights at once, and wait for the other's end only
 * before it touches x (programmatic dependent launch, in ptx.cuh).
 *
 * It is gemv/row with those two instructions and one launch attribute.
 * What it gains is gained between two kernels: timed alone, with an empty
 * machine before and after it, it is gemv/row.
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

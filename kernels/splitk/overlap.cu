/*
 * splitk/overlap - weights are asked for while the kernel before still ends.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k]; rows of A are tokens, rows of B weights.
 *
 * A layer of 4096 x 4096 weights takes some 8 us to arrive. Before the first
 * byte lies a launch, and behind the last one the clusters meet; memory idles
 * meanwhile. Only tokens depend on the layer before. So a block starts as soon
 * as it finds room, fills all its slots with weights, and then waits for the
 * end of the kernel before (programmatic dependent launch, in ptx.cuh). Only
 * behind that it asks for tokens and writes outputs.
 *
 * The blocks of two kernels fit an SM together, as long as slots take 96 KB.
 * Those of large tiles take 192, and there is little to gain.
 *
 * It is splitk/fitted with two instructions and one launch attribute. The gain
 * lies between two kernels: timed alone, on an idle device, it is
 * splitk/fitted.
 *
 * Predicts: one microsecond less than splitk/fitted, 1.1 times as fast for 64
 * tokens and 4096 outputs.
 */
#include "kernels/splitk/fitted.cuh"

template <class F>
static __global__ void __launch_bounds__(F::THREADS, F::BLOCKS)
    overlap(struct product p, const __grid_constant__ CUtensorMap x_map,
            const __grid_constant__ CUtensorMap w_map, int splits)
{
    extern __shared__ char raw[];

    swap_block<F, true>(p, &x_map, &w_map, splits, raw);
}

struct kernels {
    template <class F> static swap_kernel of(void)
    {
        return {overlap<F>, F::THREADS, F::SHARED};
    }
};

extern "C" const char *splitk_overlap_prepare(const struct kernel_case *c,
                                              const struct kernel_env *env,
                                              void *const *buf, void **state)
{
    return fitted_prepare<kernels>(c, env, buf, state);
}

extern "C" int splitk_overlap(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *state)
{
    return fitted_launch<kernels>(c, env, buf, state, true);
}

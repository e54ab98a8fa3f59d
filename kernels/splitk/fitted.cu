/*
 * splitk/fitted - tiles and splits are those that cost least by a model.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k]; rows of A are tokens, rows of B weights.
 *
 * A tile of splitk/swap has 64 outputs and all tokens. That is right for 16
 * tokens. A slot of 64 outputs and 256 tokens has 8 KB of weights and 32 KB of
 * tokens. Its products take 512 cycles, in which 80 bytes a cycle would have to
 * arrive, and an SM takes in 64 at most. With two warp groups 128 outputs share
 * the tokens: 48 bytes a cycle. But then there are half as many tiles, each
 * split twice as often, and their sums take twice as long.
 *
 * And a cluster must find its SMs in one GPC. If the last cluster of a launch
 * does not fit beside the others, the layer takes twice as long. The runtime
 * says how many fit.
 *
 * So each cut gets a price, in cycles, from a few numbers of the GPU
 * (kernels/splitk/fitted.cuh): the tensor cores, the way into an SM, DRAM and
 * its answer, the meeting of a cluster, and its sums. The cheapest is taken.
 *
 * Predicts: 1.15 times splitk/swap for 256 tokens and 4096 outputs; as fast for
 * 16 tokens.
 */
#include "kernels/splitk/fitted.cuh"

template <class F>
static __global__ void __launch_bounds__(F::THREADS, F::BLOCKS)
    fitted(struct product p, const __grid_constant__ CUtensorMap x_map,
           const __grid_constant__ CUtensorMap w_map, int splits)
{
    extern __shared__ char raw[];

    swap_block<F, false>(p, &x_map, &w_map, splits, raw);
}

struct kernels {
    template <class F> static swap_kernel of(void)
    {
        return {fitted<F>, F::THREADS, F::SHARED};
    }
};

extern "C" const char *splitk_fitted_prepare(const struct kernel_case *c,
                                             const struct kernel_env *env,
                                             void *const *buf, void **state)
{
    return fitted_prepare<kernels>(c, env, buf, state);
}

extern "C" int splitk_fitted(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *state)
{
    return fitted_launch<kernels>(c, env, buf, state, false);
}

/*
 * grouped/few - weights are rows of a product, and its columns are tokens.
 *
 * C[i][j] = Σ_k A[i][k] B[g][j][k], where row i belongs to expert g.
 *
 * 64 tokens choose 8 of 256 experts each: most experts are asked by somebody,
 * and by two tokens on average. A tile of 128 rows then has two that count. The
 * weights of 220 experts must come from memory all the same, 13 GB in one layer
 * of DeepSeek-V3. So this is about bytes: everything but weights should stay
 * out of their way.
 *
 * As in splitk/swap, the transposed product is as good: C^T = B A^T. A product
 * of wgmma has 64 rows, which are weights now, and 8 to 256 columns. A tile has
 * 128 outputs of an expert, and as many columns as its tokens need: 8, 16, 32,
 * 64 or 128. Which it is, each block finds out tile by tile; there is a loop
 * for each size. An expert with more rows has several tiles, side by side in
 * time, so that the L2 serves the weights again.
 *
 * Six slots hold 96 KB of weights on their way to each SM, several times what
 * DRAM needs to be busy.
 *
 * Predicts: 85 % of the memory's bandwidth on the weights of active experts for
 * 64 tokens of DeepSeek-V3. But at most 1.15 times grouped/scheduler there: its
 * tiles waste products, not bytes, and its slots hold as many weights.
 */
#include "kernels/grouped/few_tiles.cuh"

static __global__ void __launch_bounds__(MULTIPLY + WARP, 1)
    few(struct experts x, const __grid_constant__ few_maps maps)
{
    extern __shared__ char raw[];

    few_block(x, maps, raw);
}

extern "C" const char *grouped_few_prepare(const struct kernel_case *c,
                                           const struct kernel_env *,
                                           void *const *buf, void **state)
{
    const struct experts x = experts_of(c, buf);
    const char *const why = experts_allow(few, SHARED);

    return why != NULL ? why : few_open(x, x.a, state);
}

extern "C" int grouped_few(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *state)
{
    few<<<env->sms, MULTIPLY + WARP, SHARED, (cudaStream_t)env->stream>>>(
        experts_of(c, buf), *(const struct few_maps *)state);
    return cudaGetLastError();
}

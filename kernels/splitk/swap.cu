/*
 * splitk/swap - weights are the rows of a product, and tokens its columns.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k]; rows of A are tokens, rows of B weights.
 *
 * A product of wgmma has 64 rows, and 8 to 256 columns. With tokens as rows 16
 * tokens fill a quarter of it, and the TMA fills the other rows with zeros. But
 * the transposed product is as good: C^T = B A^T. So 64 weights stand side by
 * side as rows, and the columns are as many as there are tokens.
 *
 * No row is wasted, and that is not the point: tensor cores have time enough.
 * But a slot of 64 weights and 16 tokens takes 10 KB where it took 24, and all
 * but a fifth of it is weights. So 72 KB of weights are under way to each SM.
 * DRAM answers after some 700 ns, and 4.3 TB/s times that is 23 KB an SM. Twice
 * as much also hides that some answers come late.
 *
 * Sums leave as in splitk/cluster: each thread puts its own to shared memory,
 * transposed on the way, and blocks add up what all of them have.
 *
 * Predicts: 3.85 TB/s or more for 16 tokens and k = 14336, 1.1 times
 * splitk/cluster.
 */
#include "kernels/splitk/swap.cuh"

template <int TOKENS>
static __global__ void __launch_bounds__(form<1, TOKENS>::THREADS,
                                         form<1, TOKENS>::BLOCKS)
    swapped(struct product p, const __grid_constant__ CUtensorMap x_map,
            const __grid_constant__ CUtensorMap w_map, int splits)
{
    extern __shared__ char raw[];

    swap_block<form<1, TOKENS>, false>(p, &x_map, &w_map, splits, raw);
}

template <int TOKENS> static swap_kernel kernel_of(void)
{
    typedef form<1, TOKENS> F;

    return {swapped<TOKENS>, F::THREADS, F::SHARED};
}

static swap_kernel kernel_for(int tokens)
{
    switch (tokens) {
    case 8:
        return kernel_of<8>();
    case 16:
        return kernel_of<16>();
    case 32:
        return kernel_of<32>();
    case 64:
        return kernel_of<64>();
    case 128:
        return kernel_of<128>();
    default:
        return kernel_of<256>();
    }
}

/* As many blocks as there are SMs. */
static cut cut_of(const product &p, int sms)
{
    cut how = {1, tokens_for(p.m), 1};
    const int by_sms = sms / tiles_of(p, how), most = most_splits(p);

    how.splits = by_sms < 1 ? 1 : by_sms < most ? by_sms : most;
    return how;
}

extern "C" const char *splitk_swap_prepare(const struct kernel_case *c,
                                           const struct kernel_env *env,
                                           void *const *buf, void **state)
{
    const struct product p = product_of(c, buf);
    const cut how = cut_of(p, env->sms);
    const char *const why = swap_allow(kernel_for(how.tokens));

    return why != NULL ? why : swap_open(p, how, state);
}

extern "C" int splitk_swap(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *state)
{
    const struct product p = product_of(c, buf);
    const struct swap_state *s = (const struct swap_state *)state;

    if (s == NULL)
        return gemm16_mma(c, env, buf, NULL);
    return swap_launch(p, s, kernel_for(s->cut.tokens), false, env->stream);
}

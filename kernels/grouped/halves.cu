/*
 * grouped/halves - a warp group without rows does not multiply.
 *
 * C[i][j] = Σ_k A[i][k] B[g][j][k], where row i belongs to expert g.
 *
 * An expert's last row of tiles has 1 to 128 rows that count. In half of all
 * cases these are 64 or fewer, and the second warp group multiplies rows of the
 * next expert, whose products nobody stores. So it leaves that out: it waits
 * for each slot and says at once that it needs it no more. The tensor cores
 * then belong to the first group alone, which needs half as long.
 *
 * Half as long is more than can be had, for the weights of a step still come
 * from the L2, 40 KB in place of the 20 that half of the time has room for. But
 * products that are not made cost no energy.
 *
 * Predicts: 1.02 to 1.10 times grouped/pairs for 4096 tokens of Qwen3, where 59
 * of 315 rows of tiles are at most half full.
 */
#include "kernels/grouped/pairs.cuh"

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    halves(struct experts x, bool stores,
           const __grid_constant__ CUtensorMap a_map,
           const __grid_constant__ CUtensorMap b_map,
           const __grid_constant__ CUtensorMap c_map)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    __shared__ tiles t;
    const slots r = slots_in(raw, full, empty);

    pairs_block(x, stores, &a_map, &b_map, &c_map, r, t,
                [&](const sends &to) { compute<true>(r, t, x, to); });
}

extern "C" const char *grouped_halves_prepare(const struct kernel_case *c,
                                              const struct kernel_env *,
                                              void *const *buf, void **state)
{
    const char *const why = experts_allow(halves, LATER_SHARED);

    return why != NULL ? why : pairs_open(experts_of(c, buf), state);
}

extern "C" int grouped_halves(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *state)
{
    const struct experts x = experts_of(c, buf);
    const struct expert_maps *m = (const struct expert_maps *)state;

    halves<<<env->sms / PAIR * PAIR, THREADS, LATER_SHARED,
             (cudaStream_t)env->stream>>>(x, later_stores(x), m->a, m->b, m->c);
    return cudaGetLastError();
}

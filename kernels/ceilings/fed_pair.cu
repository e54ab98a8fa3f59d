/*
 * ceilings/fed_pair - products whose operands two blocks share.
 *
 * It is ceilings/fed_own in clusters of two. Both multiply by the same panels
 * of B, so each fetches half of it, and the TMA delivers that half to both. The
 * L2 sends 32 KB to an SM in 1024 cycles in place of 48.
 *
 * Predicts: as many FLOP a cycle as ceilings/fed_held, less 1 to 3 %.
 */
#include "kernels/ceilings/fed.cuh"

template <class FORMAT>
static __global__ void __cluster_dims__(2) __launch_bounds__(THREADS, 1)
    pair(struct fed p, const __grid_constant__ CUtensorMap a_map,
         const __grid_constant__ CUtensorMap b_map)
{
    extern __shared__ char raw[];

    fed_block<FORMAT, 2, false>(p, &a_map, &b_map, raw);
}

extern "C" const char *ceiling_fed_pair_prepare(const struct kernel_case *c,
                                                const struct kernel_env *,
                                                void *const *buf, void **state)
{
    return c->dtype == KERNEL_E4M3 ? fed_open(c, buf, 2, pair<fed_fp8>, state)
                                   : fed_open(c, buf, 2, pair<fed_bf16>, state);
}

extern "C" int ceiling_fed_pair(const struct kernel_case *c,
                                const struct kernel_env *env, void *const *buf,
                                void *state)
{
    const struct fed_maps *const m = (const struct fed_maps *)state;
    const struct fed p = fed_of(c, buf);
    const cudaStream_t s = (cudaStream_t)env->stream;

    if (c->dtype == KERNEL_E4M3)
        pair<fed_fp8><<<fed_blocks(c), THREADS, FED_SHARED, s>>>(p, m->a, m->b);
    else
        pair<fed_bf16>
            <<<fed_blocks(c), THREADS, FED_SHARED, s>>>(p, m->a, m->b);
    return cudaGetLastError();
}

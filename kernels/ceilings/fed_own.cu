/*
 * ceilings/fed_own - products whose operands the TMA brings, block by block.
 *
 * It is ceilings/fed_held with slots that are filled anew for each panel. If
 * all panels together are 9 MB, they come from the L2; at 600 MB those of A
 * come from DRAM.
 *
 * An SM has 1024 cycles for 48 KB: 48 bytes a cycle. All 132 ask the L2 for 6.3
 * KB a cycle.
 *
 * Predicts: the L2 is too slow for that, and the tensor cores wait for it: 85
 * to 97 % of the cycles of ceilings/fed_pair's throughput.
 */
#include "kernels/ceilings/fed.cuh"

template <class FORMAT>
static __global__ void __launch_bounds__(THREADS, 1)
    own(struct fed p, const __grid_constant__ CUtensorMap a_map,
        const __grid_constant__ CUtensorMap b_map)
{
    extern __shared__ char raw[];

    fed_block<FORMAT, 1, false>(p, &a_map, &b_map, raw);
}

extern "C" const char *ceiling_fed_own_prepare(const struct kernel_case *c,
                                               const struct kernel_env *,
                                               void *const *buf, void **state)
{
    return c->dtype == KERNEL_E4M3 ? fed_open(c, buf, 1, own<fed_fp8>, state)
                                   : fed_open(c, buf, 1, own<fed_bf16>, state);
}

extern "C" int ceiling_fed_own(const struct kernel_case *c,
                               const struct kernel_env *env, void *const *buf,
                               void *state)
{
    const struct fed_maps *const m = (const struct fed_maps *)state;
    const struct fed p = fed_of(c, buf);
    const cudaStream_t s = (cudaStream_t)env->stream;

    if (c->dtype == KERNEL_E4M3)
        own<fed_fp8><<<fed_blocks(c), THREADS, FED_SHARED, s>>>(p, m->a, m->b);
    else
        own<fed_bf16><<<fed_blocks(c), THREADS, FED_SHARED, s>>>(p, m->a, m->b);
    return cudaGetLastError();
}

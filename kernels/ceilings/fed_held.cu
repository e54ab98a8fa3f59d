/*
 * ceilings/fed_held - products whose operands stay in shared memory.
 *
 * A block fetches four panels of A and B, which fill its slots, and goes
 * through them over and over. So an operand changes from product to product, as
 * in a real one: the bits that toggle cost energy. But no byte comes to the SM
 * meanwhile.
 *
 * ceilings/wgmma multiplies one small tile again and again, with four warp
 * groups that read 64 x 128. Here are the two of gemm16/late, which read B once
 * for each 64 x 256 outputs.
 *
 * Predicts: 4030 to 4096 FLOP a cycle and SM in bf16.
 */
#include "kernels/ceilings/fed.cuh"

template <class FORMAT>
static __global__ void __launch_bounds__(THREADS, 1)
    held(struct fed p, const __grid_constant__ CUtensorMap a_map,
         const __grid_constant__ CUtensorMap b_map)
{
    extern __shared__ char raw[];

    fed_block<FORMAT, 1, true>(p, &a_map, &b_map, raw);
}

extern "C" const char *ceiling_fed_held_prepare(const struct kernel_case *c,
                                                const struct kernel_env *,
                                                void *const *buf, void **state)
{
    return c->dtype == KERNEL_E4M3 ? fed_open(c, buf, 1, held<fed_fp8>, state)
                                   : fed_open(c, buf, 1, held<fed_bf16>, state);
}

extern "C" int ceiling_fed_held(const struct kernel_case *c,
                                const struct kernel_env *env, void *const *buf,
                                void *state)
{
    const struct fed_maps *const m = (const struct fed_maps *)state;
    const struct fed p = fed_of(c, buf);
    const cudaStream_t s = (cudaStream_t)env->stream;

    if (c->dtype == KERNEL_E4M3)
        held<fed_fp8><<<fed_blocks(c), THREADS, FED_SHARED, s>>>(p, m->a, m->b);
    else
        held<fed_bf16>
            <<<fed_blocks(c), THREADS, FED_SHARED, s>>>(p, m->a, m->b);
    return cudaGetLastError();
}

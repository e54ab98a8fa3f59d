/*
 * gemmtf32/triple - 3xTF32 with wgmma.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * gemmtf32/mma3 splits each piece anew in each warp that multiplies it. wgmma
 * reads B from shared memory, so what is left over of B must be there: three
 * warps of their own put it beside the tile, once for all. A may come from
 * registers, where a warp group splits its rows. kernels/gemmtf32/triple.cuh
 * has the frame.
 *
 * For a slot a warp group needs 768 cycles of the tensor cores. While the other
 * one has its own, it waits for its products, reads 16 numbers of A a thread
 * and splits them: some 200 cycles, which nobody sees.
 *
 * Predicts: 1.8 times gemmtf32/mma3, a third of gemmtf32/store: 115 to 145
 * TFLOP/s, each of three products.
 */
#include "kernels/gemmtf32/triple.cuh"

static __global__ void __launch_bounds__(THREADS, 1)
    triple(struct product p, const __grid_constant__ CUtensorMap a_map,
           const __grid_constant__ CUtensorMap b_map)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES], split[STAGES], empty[STAGES];
    const slots r = slots_in(raw, full, split, empty);

    const auto multiply = [&](float(&sum)[WIDE / 2], int group, int steps,
                              int &i) {
        for (int step = 0; step < steps; step++, i++)
            multiply_slot(sum, r, group, i, step > 0);
    };
    go_through_tiles(p, &a_map, &b_map, r, multiply);
}

extern "C" const char *gemmtf32_triple_prepare(const struct kernel_case *c,
                                               const struct kernel_env *,
                                               void *const *buf, void **state)
{
    const struct product p = product_of(c, buf);

    if (cudaFuncSetAttribute(triple,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, WIDE, 0, state);
}

extern "C" int gemmtf32_triple(const struct kernel_case *c,
                               const struct kernel_env *env, void *const *buf,
                               void *state)
{
    const struct product p = product_of(c, buf);
    const struct maps *m = (const struct maps *)state;
    const int tiles = tiles_of(p);
    const int blocks = tiles < env->sms ? tiles : env->sms;

    if (m == NULL)
        return gemmtf32_mma3(c, env, buf, NULL);
    triple<<<blocks, THREADS, SHARED, (cudaStream_t)env->stream>>>(p, m->a,
                                                                   m->b);
    return cudaGetLastError();
}

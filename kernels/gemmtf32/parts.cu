/*
 * gemmtf32/parts - sums move to CUDA cores every 32 of k.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * gemmtf32/triple multiplies nearly exactly, and adds up worse than an f32
 * product does. Tensor cores cut off what a sum has no bits for. A large sum
 * loses half a unit of its last place on average, each time, and always towards
 * zero: 3072 times at k = 8192. CUDA cores round, and their errors cancel.
 * Ootomo and Yokota found this to be what keeps 3xTF32 from the accuracy of f32
 * (Int. J. High Perform. Comput. Appl. 36(4), 2022, doi
 * 10.1177/10943420221090256).
 *
 * So each slot begins a new part, of twelve products, and CUDA cores add it to
 * the sum. That is 64 registers more and 64 additions a thread, while the other
 * warp group multiplies.
 *
 * Predicts: 0.96 to 1.00 times gemmtf32/triple, and an error below that of
 * cuBLAS in f32.
 */
#include "kernels/gemmtf32/triple.cuh"

static __global__ void __launch_bounds__(THREADS, 1)
    parts(struct product p, const __grid_constant__ CUtensorMap a_map,
          const __grid_constant__ CUtensorMap b_map)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES], split[STAGES], empty[STAGES];
    const slots r = slots_in(raw, full, split, empty);

    // ANCHOR: inner
    const auto multiply = [&](float(&sum)[WIDE / 2], int group, int steps,
                              int &i) {
#pragma unroll
        for (int e = 0; e < WIDE / 2; e++)
            sum[e] = 0;
        for (int step = 0; step < steps; step++, i++) {
            float part[WIDE / 2];

            multiply_slot(part, r, group, i, false);
#pragma unroll
            for (int e = 0; e < WIDE / 2; e++)
                sum[e] += part[e];
        }
    };
    // ANCHOR_END: inner
    go_through_tiles(p, &a_map, &b_map, r, multiply);
}

extern "C" const char *gemmtf32_parts_prepare(const struct kernel_case *c,
                                              const struct kernel_env *,
                                              void *const *buf, void **state)
{
    const struct product p = product_of(c, buf);

    if (cudaFuncSetAttribute(parts, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, WIDE, 0, state);
}

extern "C" int gemmtf32_parts(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *state)
{
    const struct product p = product_of(c, buf);
    const struct maps *m = (const struct maps *)state;
    const int tiles = tiles_of(p);
    const int blocks = tiles < env->sms ? tiles : env->sms;

    if (m == NULL)
        return gemmtf32_mma3(c, env, buf, NULL);
    parts<<<blocks, THREADS, SHARED, (cudaStream_t)env->stream>>>(p, m->a,
                                                                  m->b);
    return cudaGetLastError();
}

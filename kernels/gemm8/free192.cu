/*
 * gemm8/free192 - gemm8/turns, but nobody waits for a turn.
 *
 * A trial.
 */
#include "kernels/gemm8/parts.cuh"

typedef parts<192, 192, false> shape;

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    free192(struct product p, const float *a_scales, const float *b_scales,
            const __grid_constant__ CUtensorMap a_map,
            const __grid_constant__ CUtensorMap b_map)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[shape::SLOTS], empty[shape::SLOTS];
    __shared__ float scales[shape::SLOTS * shape::SCALES];
    const scaled_slots r = parts_slots<shape>(raw, scales, full, empty);

    if (threadIdx.x == 0)
        parts_init<shape>(r.tiles);
    cluster_sync(); /* the barriers are ready, in both blocks */
    parts_block<shape>(p, r, a_scales, b_scales, &a_map, &b_map,
                       [&](int group) { parts_compute<shape>(p, r, group); });
    cluster_sync(); /* neither reaches into the other any more */
}

extern "C" const char *gemm8_free192_prepare(const struct kernel_case *c,
                                             const struct kernel_env *,
                                             void *const *buf, void **state)
{
    const struct product p = pairs_product(c, buf);

    if (cudaFuncSetAttribute(free192,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             shape::SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, shape::WIDTH_OF / PAIR, WGMMA_HIGH, state);
}

extern "C" int gemm8_free192(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *state)
{
    const struct product p = pairs_product(c, buf);
    const struct maps *m = (const struct maps *)state;

    free192<<<parts_blocks<shape>(p, env->sms), THREADS, shape::SHARED,
              (cudaStream_t)env->stream>>>(p, (const float *)buf[3],
                                           (const float *)buf[4], m->a, m->b);
    return cudaGetLastError();
}

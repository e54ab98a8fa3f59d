/*
 * gemm8/turns - gemm8/blocks with a longer part, and in turns.
 *
 * C[i][j] = Σ_q a[q][i] b[j / 128][q] Σ_k A[i][k] B[j][k], k in block q.
 *
 * What a warp group does between its products should hide behind the products
 * of the other one. In gemm8/blocks these take 256 cycles. Here tiles are 128 x
 * 192, and a part has all of a slot's columns: 96 sums and 96 numbers of the
 * part, as many registers as 128 and 64. Its products take 384 cycles, and the
 * additions grow by 32 only.
 *
 * That works if the warp groups stay half a period apart. If both start at the
 * same time, their products alternate, both end at the same time, and the
 * tensor cores wait while both add. So they take turns: a barrier lets a group
 * start its products when the other has started its own.
 *
 * Tiles of 192 columns touch two blocks of B. So each 64 columns have a scale.
 * At 8192 they make 20.8 rounds that take 21, at 4096 5.3 that take 6, where
 * tiles of 256 make 3.9.
 *
 * Predicts: 0.95 to 1.00 times gemm8/blocks in cycles at 8192, more at 4096.
 */
#include "kernels/gemm8/parts.cuh"

typedef parts<192, 192, true> shape;

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    turns(struct product p, const float *a_scales, const float *b_scales,
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

extern "C" const char *gemm8_turns_prepare(const struct kernel_case *c,
                                           const struct kernel_env *,
                                           void *const *buf, void **state)
{
    const struct product p = pairs_product(c, buf);

    if (cudaFuncSetAttribute(turns, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             shape::SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, shape::WIDTH_OF / PAIR, WGMMA_HIGH, state);
}

extern "C" int gemm8_turns(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *state)
{
    const struct product p = pairs_product(c, buf);
    const struct maps *m = (const struct maps *)state;

    turns<<<parts_blocks<shape>(p, env->sms), THREADS, shape::SHARED,
            (cudaStream_t)env->stream>>>(p, (const float *)buf[3],
                                         (const float *)buf[4], m->a, m->b);
    return cudaGetLastError();
}

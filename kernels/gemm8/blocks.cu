/*
 * gemm8/blocks - a scale for each 128 of k: of a row of A, of 128 rows of B.
 *
 * C[i][j] = Σ_q a[q][i] b[j / 128][q] Σ_k A[i][k] B[j][k], k in block q.
 *
 * This is how DeepSeek-V3 stores its weights, in blocks of 128 x 128, and its
 * activations, in strips of 1 x 128. Scales depend on k now, so a part of 128
 * of k must leave the tensor cores before the next one begins. It does that in
 * gemm8/promote already: the addition there becomes a multiply-add.
 *
 * Where the time goes. Half of a slot, 64 x 128 outputs, takes 256 cycles of
 * products. Then the warp group waits for the last of them, adds 64 numbers and
 * starts anew. If all of that takes more than the 256 cycles of the other warp
 * group's products, the tensor cores wait. The records say that gemm8/promote
 * takes 600 a half, so that is 350 cycles. The 64 additions are at least 64 of
 * them, and the end of a product and the start of the next some 100 to 150.
 * What remains is an effect of the order in which the code stands: in
 * gemm8/promote a warp group looks for the next slot, and computes where its
 * tiles lie, when the additions are done. That is a chain of some 50
 * instructions, and nothing depends on the sums in it. So here all of it is
 * done while products are under way.
 *
 * Scales take the same way as tiles, to shared memory and ahead of time: they
 * come from the L2, behind 30 bytes a cycle and SM of tiles, and a slot ahead
 * is too late. And the sums of a tile are stored from registers, as in
 * gemm8/direct, during the first slot of the next: its products go to the part,
 * so the sums lie still.
 *
 * Predicts: 1.05 to 1.15 times gemm8/late in cycles at 8192.
 */
#include "kernels/gemm8/parts.cuh"
#include "kernels/trace.cuh"

typedef parts<256, 128, false> shape;

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    blocks(struct product p, const float *a_scales, const float *b_scales,
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

extern "C" const char *gemm8_blocks_prepare(const struct kernel_case *c,
                                            const struct kernel_env *,
                                            void *const *buf, void **state)
{
    const struct product p = pairs_product(c, buf);

    if (cudaFuncSetAttribute(blocks,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             shape::SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, shape::WIDTH_OF / PAIR, WGMMA_HIGH, state);
}

extern "C" int gemm8_blocks(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *state)
{
    const struct product p = pairs_product(c, buf);
    const struct maps *m = (const struct maps *)state;

    blocks<<<parts_blocks<shape>(p, env->sms), THREADS, shape::SHARED,
             (cudaStream_t)env->stream>>>(p, (const float *)buf[3],
                                          (const float *)buf[4], m->a, m->b);
    return cudaGetLastError();
}

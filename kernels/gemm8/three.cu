/*
 * gemm8/three - three warp groups take the place of two.
 *
 * C[i][j] = scale Σ_k A[i][k] B[j][k].
 *
 * In gemm8/promote a warp group's products of half a slot take 256 cycles. Then
 * it waits for the last of them, adds 64 numbers and starts the next: another
 * 350 cycles or so. The other warp group's products fill 256 of these. So every
 * half of a slot takes 600 cycles, and the tensor cores work in 512 of them.
 *
 * A third warp group fills the rest: 768 cycles of products for each 600 that a
 * group needs for itself. Registers allow it. 64 x 128 outputs are 64 sums and
 * 64 numbers of a part, and with little else three groups of 160 registers a
 * thread fit. Sums need no registers while they leave, either: in the first
 * slot of a tile products go to the part, so the sums of the tile before lie
 * still, and go straight to memory as in gemm8/direct.
 *
 * Tiles are 192 x 128. At 8192 that makes 20.8 rounds that take 21, and not
 * 15.5 that take 16.
 *
 * Predicts: 0.82 to 0.90 times gemm8/promote in cycles at 8192.
 */
#include "kernels/gemm8/three.cuh"

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(TRIO_THREADS, 1)
    three(struct product p, const float *scales,
          const __grid_constant__ CUtensorMap a_map,
          const __grid_constant__ CUtensorMap b_map)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[TRIO_SLOTS], empty[TRIO_SLOTS];
    const slots r = trio_slots(raw, full, empty);
    const int group = threadIdx.x / WGMMA_GROUP;

    if (threadIdx.x == 0)
        trio_init(r);
    cluster_sync(); /* the barriers are ready, in both blocks */
    if (group == TRIO) {
        wgmma_give_registers<TRIO_FEW>();
        if (threadIdx.x % WGMMA_GROUP == 0)
            trio_fetch(r, &a_map, &b_map, p);
    } else {
        wgmma_take_registers<TRIO_MANY>();
        trio_compute(p, r, group, added(), tensor_scale(scales));
    }
    cluster_sync(); /* neither reaches into the other any more */
}

extern "C" const char *gemm8_three_prepare(const struct kernel_case *c,
                                           const struct kernel_env *env,
                                           void *const *buf, void **state)
{
    const struct product p = pairs_product(c, buf);
    const char *why = tensor_scales_make(buf[3], env);

    if (why != NULL)
        return why;
    if (cudaFuncSetAttribute(three, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             TRIO_SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, TRIO_HIGH / PAIR, TRIO_WIDE, WGMMA_HIGH, state);
}

extern "C" int gemm8_three(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *state)
{
    const struct product p = pairs_product(c, buf);
    const struct maps *m = (const struct maps *)state;

    three<<<trio_blocks(p, env->sms), TRIO_THREADS, TRIO_SHARED,
            (cudaStream_t)env->stream>>>(p, (const float *)buf[3], m->a, m->b);
    return cudaGetLastError();
}

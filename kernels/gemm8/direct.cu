/*
 * gemm8/direct - gemm16/direct with another instruction.
 *
 * C[i][j] = scale Σ_k A[i][k] B[j][k].
 *
 * gemm8/late loses some 2500 cycles a tile, and I expected panels to be the
 * reason, as in gemm16/direct. Here that weighs double: a tile takes half as
 * long. So sums go straight from registers to memory, eight columns of a row at
 * a time (kernels/gemm16/eights.cuh).
 *
 * Predicts: 0.97 to 0.995 times gemm8/late in cycles at 8192, 0.88 to 0.95
 * times with k = 1536.
 */
#include "kernels/gemm16/eights.cuh"
#include "kernels/gemm8/wide.cuh"

// ANCHOR: inner
/* A warp group: the outputs of its 64 rows, pair of tiles by pair. */
static __device__ __forceinline__ void compute(const product &p, const slots &r,
                                               int group, float scale)
{
    const int steps = ceil_div(p.k, DEEP);
    float sum[WIDE / 2];
    eights before;
    int i = 0;

    before.row = EIGHTS_NONE;
    for (int pair = blockIdx.x / PAIR; pair < pairs_of(p);
         pair += gridDim.x / PAIR) {
        multiply_e4m3(sum, r, group, steps, i, tell_both{r},
                      [&](int step) { eights_put(before, step, false, p); });
        eights_put(before, steps, true, p);
        scale_all(sum, scale);
        eights_take(before, sum, place_of(p, pair), group);
    }
    eights_put(before, 0, true, p);
}
// ANCHOR_END: inner

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    direct(struct product p, const float *scales,
           const __grid_constant__ CUtensorMap a_map,
           const __grid_constant__ CUtensorMap b_map)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    const slots r = slots_in(raw, full, empty);
    const int group = threadIdx.x / WGMMA_GROUP;

    if (threadIdx.x == 0)
        slots_init(r, PAIR * WARPS);
    cluster_sync(); /* the barriers are ready, in both blocks */
    if (group == GROUPS) {
        wgmma_give_registers<FEW>();
        if (threadIdx.x % WGMMA_GROUP == 0)
            fetch_pairs(r, &a_map, &b_map, p);
    } else {
        wgmma_take_registers<MANY>();
        compute(p, r, group, tensor_scale(scales));
    }
    cluster_sync(); /* neither reaches into the other any more */
}

extern "C" const char *gemm8_direct_prepare(const struct kernel_case *c,
                                            const struct kernel_env *env,
                                            void *const *buf, void **state)
{
    const struct product p = pairs_product(c, buf);
    const char *why = tensor_scales_make(buf[3], env);

    if (why != NULL)
        return why;
    if (cudaFuncSetAttribute(direct,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             EIGHTS_SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, WIDE / PAIR, WGMMA_HIGH, state);
}

extern "C" int gemm8_direct(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *state)
{
    const struct product p = pairs_product(c, buf);
    const struct maps *m = (const struct maps *)state;

    direct<<<pair_blocks(p, env->sms), THREADS, EIGHTS_SHARED,
             (cudaStream_t)env->stream>>>(p, (const float *)buf[3], m->a, m->b);
    return cudaGetLastError();
}

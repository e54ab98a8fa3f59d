/*
 * gemm8/late - gemm16/late with another instruction.
 *
 * C[i][j] = scale Σ_k A[i][k] B[j][k].
 *
 * All that gemm16 has learnt since its step `wide`, at once: a block for each
 * SM, tiles in compact fields, pairs of blocks that share B, and sums that
 * leave while the next products run. In FP8 each of them counts double, for the
 * products that they stand beside take half as long. At k = 4096 a tile is 32
 * slots, 32768 cycles; the rounding of its sums, 200 cycles in which no product
 * of the warp group runs, is 0.6 % of that.
 *
 * The sums are multiplied by the scales when they are rounded, 128
 * multiplications a thread.
 *
 * Predicts: 1.2 times gemm8/wide at 4096; 92 to 96 % of 8192 FLOP a cycle and
 * SM at 8192, where 97.0 % is the most (gemm16/late). Under the power limit
 * below 1450 TFLOP/s.
 */
#include "kernels/gemm16/later.cuh"
#include "kernels/gemm8/wide.cuh"

// ANCHOR: inner
/* A warp group: the outputs of its 64 rows, pair of tiles by pair. */
static __device__ __forceinline__ void compute(const product &p, const slots &r,
                                               int group,
                                               const CUtensorMap *c_map,
                                               float scale)
{
    const int steps = ceil_div(p.k, DEEP);
    char *const panels = r.behind + group * PANELS * PANEL;
    float sum[WIDE / 2];
    later before;
    int i = 0;

    before.row = LATER_NONE;
    for (int pair = blockIdx.x / PAIR; pair < pairs_of(p);
         pair += gridDim.x / PAIR) {
        multiply_e4m3(sum, r, group, steps, i, tell_both{r}, [&](int step) {
            later_send(before, step, false, panels, c_map, group);
        });
        later_send(before, steps, true, panels, c_map, group);
        scale_all(sum, scale);
        later_take(before, sum, place_of(p, pair), group);
    }
    later_send(before, 0, true, panels, c_map, group);
    if (threadIdx.x % WGMMA_GROUP == 0)
        ptx_bulk_wait<0>(); /* the last panels are in C */
}
// ANCHOR_END: inner

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    late(struct product p, const float *scales,
         const __grid_constant__ CUtensorMap a_map,
         const __grid_constant__ CUtensorMap b_map,
         const __grid_constant__ CUtensorMap c_map)
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
        compute(p, r, group, &c_map, tensor_scale(scales));
    }
    cluster_sync(); /* neither reaches into the other any more */
}

extern "C" const char *gemm8_late_prepare(const struct kernel_case *c,
                                          const struct kernel_env *env,
                                          void *const *buf, void **state)
{
    const struct product p = pairs_product(c, buf);
    const char *why = tensor_scales_make(buf[3], env);

    if (why != NULL)
        return why;
    if (cudaFuncSetAttribute(late, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             LATER_SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, WIDE / PAIR, WGMMA_HIGH, state);
}

extern "C" int gemm8_late(const struct kernel_case *c,
                          const struct kernel_env *env, void *const *buf,
                          void *state)
{
    const struct product p = pairs_product(c, buf);
    const struct maps *m = (const struct maps *)state;

    late<<<pair_blocks(p, env->sms), THREADS, LATER_SHARED,
           (cudaStream_t)env->stream>>>(p, (const float *)buf[3], m->a, m->b,
                                        m->c);
    return cudaGetLastError();
}

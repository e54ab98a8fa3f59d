/*
 * gemm8/turns - warp groups take turns at the tensor cores.
 *
 * C[i][j] = scale Σ_k A[i][k] B[j][k].
 *
 * gemm8/promote counts on one warp group to multiply while the other one adds.
 * Nothing makes them do so. If both have started their products, a
 * multiprocessor takes one of each in turn, and both end at the same time. Then
 * both add, and the tensor cores wait for both.
 *
 * Here a warp group starts the four products of a half only when the other one
 * has started its own. So all four of one run before those of the other, and
 * when they have ended there are 256 cycles to add 64 numbers. A barrier of
 * both groups is enough: one waits, and the other one only arrives.
 *
 * Predicts: 0.90 times gemm8/promote in cycles at 8192. Level, if the hardware
 * takes products in the order in which they were started anyway.
 */
#include "kernels/gemm16/later.cuh"
#include "kernels/gemm8/turns.cuh"

/* A warp group: the outputs of its 64 rows, pair of tiles by pair. */
static __device__ __forceinline__ void compute(const product &p, const slots &r,
                                               int group,
                                               const CUtensorMap *c_map,
                                               float scale)
{
    const int steps = ceil_div(p.k, DEEP);
    char *const panels = r.behind + group * PANELS * PANEL;
    float sum[WIDE / 2];
    added take;
    int i = 0;

    turns_open(group);
    for (int pair = blockIdx.x / PAIR; pair < pairs_of(p);
         pair += gridDim.x / PAIR) {
        const place at = place_of(p, pair);

        multiply_in_turns(sum, r, group, steps, i, tell_both{r}, take,
                          nothing());
        scale_all(sum, scale);
        send_sums(sum, panels, c_map, group, at.top + group * WGMMA_HIGH,
                  at.left);
    }
    turns_close(group);
    if (threadIdx.x % WGMMA_GROUP == 0)
        ptx_bulk_wait<0>(); /* the last panels are in C */
}

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    turns(struct product p, const float *scales,
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

extern "C" const char *gemm8_turns_prepare(const struct kernel_case *c,
                                           const struct kernel_env *env,
                                           void *const *buf, void **state)
{
    const struct product p = pairs_product(c, buf);
    const char *why = tensor_scales_make(buf[3], env);

    if (why != NULL)
        return why;
    if (cudaFuncSetAttribute(turns, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             LATER_SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, WIDE / PAIR, WGMMA_HIGH, state);
}

extern "C" int gemm8_turns(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *state)
{
    const struct product p = pairs_product(c, buf);
    const struct maps *m = (const struct maps *)state;

    turns<<<pair_blocks(p, env->sms), THREADS, LATER_SHARED,
            (cudaStream_t)env->stream>>>(p, (const float *)buf[3], m->a, m->b,
                                         m->c);
    return cudaGetLastError();
}

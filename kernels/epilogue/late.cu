/*
 * epilogue/late - outputs leave during the next products.
 *
 * C = act(A Bᵀ + bias).
 *
 * As gemm16/late does it: a warp group rounds its outputs into 64 registers and
 * starts its next products. A panel of 64 columns leaves in each of the steps
 * that follow. What the tensor cores still wait for is the activation itself.
 *
 * Could the activation, too, be put off until a panel leaves? It wants sums in
 * f32. A thread has 128 of them, the next products need as many registers
 * again, and there are 232 in all. Sums rounded to bf16 would fit, but then
 * the activation sees what epilogue/two has it see, and C is rounded twice.
 *
 * Predicts: 1.04 times the time of epilogue/plain with k = 4096, for either
 * GELU.
 */
#include "kernels/epilogue/layer.cuh"

// ANCHOR: inner
/* A warp group: the outputs of its 64 rows, pair of tiles by pair. */
template <epilogue_act ACT>
static __device__ __forceinline__ void compute(const layer &l, const slots &r,
                                               int group, uint32_t *biases,
                                               const CUtensorMap *c_map)
{
    const int steps = ceil_div(l.p.k, DEEP);
    char *const panels = r.behind + group * PANELS * PANEL;
    waiting<ACT> before;
    float sum[WIDE / 2];
    int i = 0;

    before.row = LATER_NONE;
    for (int pair = blockIdx.x / PAIR; pair < pairs_of(l.p);
         pair += gridDim.x / PAIR) {
        const place at = place_of(l.p, pair);

        multiply(sum, r, group, steps, i, tell_both{r}, [&](int step) {
            waiting_send(before, step, false, panels, c_map, group);
            if (step == 0)
                bias_ask(l, at.left, biases);
        });
        waiting_send(before, steps, true, panels, c_map, group);
        bias_wait(group);
        finish<ACT>(before.word, sum, biases);
        waiting_at(before, at, group);
    }
    waiting_send(before, 0, true, panels, c_map, group);
    if (threadIdx.x % WGMMA_GROUP == 0)
        ptx_bulk_wait<0>(); /* the last panels are in C */
}
// ANCHOR_END: inner

template <epilogue_act ACT>
static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    late(struct layer l, const __grid_constant__ CUtensorMap a_map,
         const __grid_constant__ CUtensorMap b_map,
         const __grid_constant__ CUtensorMap c_map)
{
    extern __shared__ char raw[];
    fixed &f = fixed_memory();
    const slots r = slots_in(raw, f.full, f.empty);
    const int group = threadIdx.x / WGMMA_GROUP;

    if (threadIdx.x == 0)
        slots_init(r, PAIR * WARPS);
    cluster_sync(); /* the barriers are ready, in both blocks */
    if (group == GROUPS) {
        wgmma_give_registers<FEW>();
        if (threadIdx.x % WGMMA_GROUP == 0)
            fetch_pairs(r, &a_map, &b_map, l.p);
    } else {
        wgmma_take_registers<MANY>();
        compute<ACT>(l, r, group, f.biases[group], &c_map);
    }
    cluster_sync(); /* neither reaches into the other any more */
}

extern "C" const char *epilogue_late_prepare(const struct kernel_case *c,
                                             const struct kernel_env *,
                                             void *const *buf, void **state)
{
    const struct layer l = layer_of(c, buf);
    const cudaError_t failed = act_with_gelu(c, [](auto k) {
        return cudaFuncSetAttribute(late<decltype(k)::act>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    LATER_SHARED);
    });

    if (failed != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return layer_maps(&l.p, buf[2], epilogue_columns(c), state);
}

extern "C" int epilogue_late(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *state)
{
    const struct layer l = layer_of(c, buf);
    const struct maps *m = (const struct maps *)state;

    return act_with_gelu(c, [&](auto k) {
        late<decltype(k)::act>
            <<<pair_blocks(l.p, env->sms), THREADS, LATER_SHARED,
               (cudaStream_t)env->stream>>>(l, m->a, m->b, m->c);
        return (int)cudaGetLastError();
    });
}

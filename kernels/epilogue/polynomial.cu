/*
 * epilogue/polynomial - erf by a polynomial and a tanh.
 *
 * C = act(A Bᵀ + bias).
 *
 * The special function unit has an instruction for tanh. The tanh form of GELU
 * is made of it. The form with erf is, too, if the argument of tanh is bent a
 * little: kernels/epilogue/act.cuh has the formula, and what it errs by. That
 * makes some ten instructions for an output, of which one goes to the special
 * function unit. Sixteen of these start in a cycle, so 32768 take 2048 cycles;
 * the others take a little more.
 *
 * Which GELU it is hardly matters any more: erf has two instructions more than
 * the tanh form.
 *
 * Predicts: 1.08 times the time of epilogue/plain with k = 4096; erf within 1 %
 * of the tanh form.
 */
#include "kernels/epilogue/layer.cuh"

// ANCHOR: inner
/* A warp group: the outputs of its 64 rows, pair of tiles by pair. */
template <epilogue_act ACT>
static __device__ __forceinline__ void compute(const layer &l, const slots &r,
                                               int group, uint32_t *biases,
                                               const CUtensorMap *c_map)
{
    char *const panels = r.behind + group * PANELS * PANEL;
    float sum[WIDE / 2];
    int i = 0;

    for (int pair = blockIdx.x / PAIR; pair < pairs_of(l.p);
         pair += gridDim.x / PAIR) {
        const place at = place_of(l.p, pair);

        multiply(sum, r, group, ceil_div(l.p.k, DEEP), i, tell_both{r},
                 [&](int step) {
                     if (step == 0)
                         bias_ask(l, at.left, biases);
                 });
        bias_wait(group);
        finish_and_send<ACT, ACT_SHORT>(sum, biases, panels, c_map, group,
                                        at.top + group * WGMMA_HIGH, at.left);
    }
    if (threadIdx.x % WGMMA_GROUP == 0)
        ptx_bulk_wait<0>(); /* the last panels are in C */
}
// ANCHOR_END: inner

template <epilogue_act ACT>
static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    polynomial(struct layer l, const __grid_constant__ CUtensorMap a_map,
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

extern "C" const char *epilogue_polynomial_prepare(const struct kernel_case *c,
                                                   const struct kernel_env *,
                                                   void *const *buf,
                                                   void **state)
{
    const struct layer l = layer_of(c, buf);
    const cudaError_t failed = act_with_gelu(c, [](auto k) {
        return cudaFuncSetAttribute(polynomial<decltype(k)::act>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    LATER_SHARED);
    });

    if (failed != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return layer_maps(&l.p, buf[2], epilogue_columns(c), state);
}

extern "C" int epilogue_polynomial(const struct kernel_case *c,
                                   const struct kernel_env *env,
                                   void *const *buf, void *state)
{
    const struct layer l = layer_of(c, buf);
    const struct maps *m = (const struct maps *)state;

    return act_with_gelu(c, [&](auto k) {
        polynomial<decltype(k)::act>
            <<<pair_blocks(l.p, env->sms), THREADS, LATER_SHARED,
               (cudaStream_t)env->stream>>>(l, m->a, m->b, m->c);
        return (int)cudaGetLastError();
    });
}

/*
 * epilogue/inline - bias and activation on the sums, in registers.
 *
 * C = act(A Bᵀ + bias).
 *
 * The sums of a tile are in registers, in f32. There a warp group adds the bias
 * and applies the activation, rounds once, and sends the outputs away. Nothing
 * crosses the memory bus that need not.
 *
 * This is the frame of gemm16/store: a warp group multiplies, then it does the
 * rest. A tile has 32768 outputs, and both warp groups come to them at the same
 * time. An SM starts 128 operations a cycle, so each instruction for an output
 * is 256 cycles in which the tensor cores stand still. With k = 4096 a tile's
 * products take 65536. By the compiler's listing an output takes 27
 * instructions with erff(), and 24 with tanhf(), two of which go to the special
 * function unit.
 *
 * Predicts: 1.13 times the time of epilogue/plain with k = 4096, for either
 * GELU; of that 3 % for outputs that leave before the next products begin.
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
        finish_and_send<ACT, ACT_LIBRARY>(sum, biases, panels, c_map, group,
                                          at.top + group * WGMMA_HIGH, at.left);
    }
    if (threadIdx.x % WGMMA_GROUP == 0)
        ptx_bulk_wait<0>(); /* the last panels are in C */
}
// ANCHOR_END: inner

template <epilogue_act ACT>
static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    in_line(struct layer l, const __grid_constant__ CUtensorMap a_map,
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

extern "C" const char *epilogue_inline_prepare(const struct kernel_case *c,
                                               const struct kernel_env *,
                                               void *const *buf, void **state)
{
    const struct layer l = layer_of(c, buf);
    const cudaError_t failed = act_with_gelu(c, [](auto k) {
        return cudaFuncSetAttribute(in_line<decltype(k)::act>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    LATER_SHARED);
    });

    if (failed != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return layer_maps(&l.p, buf[2], epilogue_columns(c), state);
}

extern "C" int epilogue_inline(const struct kernel_case *c,
                               const struct kernel_env *env, void *const *buf,
                               void *state)
{
    const struct layer l = layer_of(c, buf);
    const struct maps *m = (const struct maps *)state;

    return act_with_gelu(c, [&](auto k) {
        in_line<decltype(k)::act>
            <<<pair_blocks(l.p, env->sms), THREADS, LATER_SHARED,
               (cudaStream_t)env->stream>>>(l, m->a, m->b, m->c);
        return (int)cudaGetLastError();
    });
}

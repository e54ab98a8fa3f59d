/*
 * epilogue/bytes - outputs as FP8, from the sums.
 *
 * C = e4m3(scale silu(gate) up): gate and up are columns of A Bᵀ + bias.
 *
 * The layer behind this one multiplies in FP8, so it wants C in bytes. If the
 * scales are known beforehand nothing keeps the epilogue from making them: a
 * multiplication for each output, and one conversion for two. Nothing else
 * crosses the memory bus: at 4096 rows C has 59 MB in place of 117.
 *
 * A tile's 128 columns of bytes are one panel of the TMA, half of what
 * epilogue/swiglu sends. stmatrix moves pairs of 16 bits, and here a thread has
 * pairs of 8. So each thread puts its own pairs into the panel, two bytes a
 * store, without a conflict of banks.
 *
 * The order is that of epilogue/polynomial, which was faster than turns and
 * late outputs. So the tensor cores wait for 32 stores of each thread, too.
 *
 * Predicts: 0.97 to 1.03 times the throughput of epilogue/swiglu behind the
 * gate/up projection with 4096 rows; 1.03 times that of epilogue/bytes_after or
 * more.
 */
#include "kernels/epilogue/bytes.cuh"

/* A warp group: the outputs of its 64 rows, pair of tiles by pair. */
static __device__ __forceinline__ void compute(const layer &l, const slots &r,
                                               int group, uint32_t *biases,
                                               const float *scales,
                                               const CUtensorMap *c_map)
{
    char *const panels = r.behind + group * PANELS * PANEL;
    float sum[WIDE / 2];
    int i = 0, turn = 0;

    for (int pair = blockIdx.x / PAIR; pair < pairs_of(l.p);
         pair += gridDim.x / PAIR, turn++) {
        const place at = place_of(l.p, pair);
        const int row = at.top + group * WGMMA_HIGH;

        multiply(sum, r, group, ceil_div(l.p.k, DEEP), i, tell_both{r},
                 [&](int step) {
                     if (step == 0)
                         bias_ask(l, at.left, biases);
                 });
        bias_wait(group);
        bytes_send(panels, turn, c_map, group, row, at.left / 2, [&](char *to) {
            bytes_put(to, sum, biases, scales, row, l.p.m);
        });
    }
    if (threadIdx.x % WGMMA_GROUP == 0)
        ptx_bulk_wait<0>(); /* the last panels are in C */
}

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    bytes(struct layer l, const float *scales,
          const __grid_constant__ CUtensorMap a_map,
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
        compute(l, r, group, f.biases[group], scales, &c_map);
    }
    cluster_sync(); /* neither reaches into the other any more */
}

extern "C" const char *epilogue_bytes_prepare(const struct kernel_case *c,
                                              const struct kernel_env *,
                                              void *const *buf, void **state)
{
    const struct layer l = layer_of(c, buf);

    if (cudaFuncSetAttribute(bytes, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             LATER_SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return layer_maps(&l.p, buf[BYTES_C], epilogue_columns(c) / 2, state);
}

extern "C" int epilogue_bytes(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *state)
{
    const struct layer l = layer_of(c, buf);
    const struct maps *m = (const struct maps *)state;

    bytes<<<pair_blocks(l.p, env->sms), THREADS, LATER_SHARED,
            (cudaStream_t)env->stream>>>(l, (const float *)buf[BYTES_SCALES],
                                         m->a, m->b, m->c);
    return cudaGetLastError();
}

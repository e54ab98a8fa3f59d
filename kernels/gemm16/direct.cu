/*
 * gemm16/direct - sums go straight from registers to memory.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * gemm16/late sends a panel a step. For that a warp group meets at two
 * barriers, writes to shared memory and waits until the TMA can see it: some
 * 900 cycles by the SM's clock. A step has 1024, and waiting for a slot and
 * starting products takes 500 of them. So I expected the tensor cores to run
 * dry in four steps of a tile. A trial without any stores gave wrong results,
 * and lost no such cycles.
 *
 * No panel, barrier or fence is needed if each thread has 16 bytes to store
 * that lie side by side. The four lanes of a row get there with four shuffles
 * for four words (kernels/gemm16/eights.cuh). A thread stores its 128 outputs
 * with 16 instructions, two a step, and waits for none of them.
 *
 * The shuffles can be saved: the TMA brings the rows of B in another order, if
 * it is told that B has four dimensions, and then a thread has eight columns
 * side by side from the start. A trial of that took more cycles, in proportion
 * to k. So I suspect that such pieces come too slowly.
 *
 * Predicts: 0.985 to 0.995 times gemm16/late in cycles at 8192, 0.95 to 0.98
 * times with k = 1536.
 */
#include "kernels/gemm16/eights.cuh"

// ANCHOR: inner
/* A warp group: the outputs of its 64 rows, pair of tiles by pair. */
static __device__ __forceinline__ void compute(const product &p, const slots &r,
                                               int group)
{
    const int steps = ceil_div(p.k, DEEP);
    float sum[WIDE / 2];
    eights before;
    int i = 0;

    before.row = EIGHTS_NONE;
    for (int pair = blockIdx.x / PAIR; pair < pairs_of(p);
         pair += gridDim.x / PAIR) {
        multiply(sum, r, group, steps, i, tell_both{r},
                 [&](int step) { eights_put(before, step, false, p); });
        eights_put(before, steps, true, p);
        eights_take(before, sum, place_of(p, pair), group);
    }
    eights_put(before, 0, true, p);
}
// ANCHOR_END: inner

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    direct(struct product p, const __grid_constant__ CUtensorMap a_map,
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
        compute(p, r, group);
    }
    cluster_sync(); /* neither reaches into the other any more */
}

extern "C" const char *gemm16_direct_prepare(const struct kernel_case *c,
                                             const struct kernel_env *,
                                             void *const *buf, void **state)
{
    const struct product p = product_of(c, buf);

    if (cudaFuncSetAttribute(direct,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             EIGHTS_SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, WIDE / PAIR, WGMMA_HIGH, state);
}

extern "C" int gemm16_direct(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *state)
{
    const struct product p = product_of(c, buf);
    const struct maps *m = (const struct maps *)state;
    const int blocks = pair_blocks(p, env->sms);

    if (m == NULL)
        return gemm16_mma(c, env, buf, NULL);
    direct<<<blocks, THREADS, EIGHTS_SHARED, (cudaStream_t)env->stream>>>(
        p, m->a, m->b);
    return cudaGetLastError();
}

/*
 * gemm16/four - four blocks share what all four need.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * In gemm16/late an SM receives 48 KB for each slot, and the L2 sends 32 of
 * them: 16 of A, and half of the 32 of B. In a cluster of four blocks, one
 * above the other, each asks for a quarter of B, and the L2 sends 24. At 8192
 * that is 6.4 GB a call where it was 8.6. The SMs are as busy as before. But
 * bytes that do not cross the chip are watts left for the tensor cores.
 *
 * A cluster lies within a GPC, which has 16 or 18 SMs. So fours do not fill all
 * 132 SMs, but 128 at most. For these shapes that costs nothing: 4096 x 4096 is
 * 512 tiles, and 128 SMs go through them in 4 rounds, as 132 do. 8192 x 8192
 * takes 16 rounds both ways, and all layers here are multiples of 128 tiles.
 * On a GPU whose GPCs hold fewer fours there are more rounds.
 *
 * Predicts: within 1 % of gemm16/late in cycles. Under the power limit 1.02
 * times.
 */
#define PAIR_BLOCKS 4
#include "kernels/gemm16/later.cuh"

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    four(struct product p, const __grid_constant__ CUtensorMap a_map,
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
        later_all(p, r, group, &c_map);
    }
    cluster_sync(); /* neither reaches into the other any more */
}

extern "C" const char *gemm16_four_prepare(const struct kernel_case *c,
                                           const struct kernel_env *,
                                           void *const *buf, void **state)
{
    const struct product p = product_of(c, buf);

    if (cudaFuncSetAttribute(four, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             LATER_SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, WIDE / PAIR, WGMMA_HIGH, state);
}

// ANCHOR: inner
/* How many clusters the GPU runs at the same time. */
static int fours_that_fit(int *fit)
{
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute cluster = {};

    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {PAIR, 1, 1};
    config.gridDim = dim3(PAIR);
    config.blockDim = dim3(THREADS);
    config.dynamicSmemBytes = LATER_SHARED;
    config.attrs = &cluster;
    config.numAttrs = 1;
    return cudaOccupancyMaxActiveClusters(fit, four, &config);
}
// ANCHOR_END: inner

extern "C" int gemm16_four(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *state)
{
    const struct product p = product_of(c, buf);
    const struct maps *m = (const struct maps *)state;
    int fit, error;

    if (m == NULL)
        return gemm16_mma(c, env, buf, NULL);
    error = fours_that_fit(&fit);
    if (error)
        return error;
    four<<<pair_blocks(p, fit * PAIR), THREADS, LATER_SHARED,
           (cudaStream_t)env->stream>>>(p, m->a, m->b, m->c);
    return cudaGetLastError();
}

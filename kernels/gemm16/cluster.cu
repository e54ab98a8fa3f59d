/*
 * gemm16/cluster - two blocks share what both need.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * Two blocks whose tiles stand one above the other have the same columns, and
 * need the same rows of B. As a *cluster* they run at the same time on two SMs
 * of a GPC. Each asks for half of the tile of B, and the TMA delivers it to
 * both: a third fewer bytes leave the L2.
 *
 * A slot may be written when both blocks are done with it, for what one asks
 * for lands in both. So each warp arrives at two barriers `empty`, its
 * own and the other block's. A block's barrier `full` counts a whole tile of A
 * and of B, whoever asked.
 *
 * Predicts: within 1 % of gemm16/order in cycles, since the L2 kept up before.
 * Under the power limit 1.02 times: bytes that do not move leave watts.
 */
#include "kernels/gemm16/pair.cuh"

enum { SHARED = SLOTS_BYTES + TENSOR_MAP_ALIGN };

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    cluster(struct product p, const __grid_constant__ CUtensorMap a_map,
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
        float sum[WIDE / 2];
        int i = 0;

        for (int pair = blockIdx.x / PAIR; pair < pairs_of(p);
             pair += gridDim.x / PAIR) {
            const place at = place_of(p, pair);

            multiply(sum, r, group, ceil_div(p.k, DEEP), i, tell_both{r},
                     nothing());
            put_sums(p, at.top + group * WGMMA_HIGH, at.left, sum);
        }
    }
    cluster_sync(); /* neither reaches into the other any more */
}

extern "C" const char *gemm16_cluster_prepare(const struct kernel_case *c,
                                              const struct kernel_env *,
                                              void *const *buf, void **state)
{
    const struct product p = product_of(c, buf);

    if (cudaFuncSetAttribute(cluster,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, WIDE / PAIR, 0, state);
}

extern "C" int gemm16_cluster(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *state)
{
    const struct product p = product_of(c, buf);
    const struct maps *m = (const struct maps *)state;
    const int blocks = pair_blocks(p, env->sms);

    if (m == NULL)
        return gemm16_mma(c, env, buf, NULL);
    cluster<<<blocks, THREADS, SHARED, (cudaStream_t)env->stream>>>(p, m->a,
                                                                    m->b);
    return cudaGetLastError();
}

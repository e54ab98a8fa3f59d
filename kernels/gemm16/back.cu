/*
 * gemm16/back - every other tile goes through k backwards.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * In gemm16/late 66 pairs of tiles that run at the same time want 2048 rows of
 * A and as many of B. At k = 8192 that is 68 MB a round. The next round stands
 * beside it and wants the same rows of A again, from k = 0 on. But the L2 holds
 * 50 MB, and what it holds by then is the end of k. So A comes from DRAM again,
 * round after round: 1.05 GB for operands of 0.27 GB.
 *
 * If the next round begins with the end of k, it finds there what came last.
 * The L2 holds the last 50 / 68 of a round, if it keeps no byte twice, and half
 * of that is A: 25 MB of 68 do not come from DRAM again. So a pair goes
 * through k forwards and backwards in turns. The sums have another order, and
 * that is all.
 *
 * I reckon with 50 pJ for a byte from DRAM. Then 0.36 GB less save 18 of the
 * 1120 mJ that a call takes.
 *
 * Predicts: 1.01 times gemm16/late at 8192 under the power limit, in as many
 * cycles.
 */
#include "kernels/gemm16/later.cuh"

// ANCHOR: inner
/* The thread that asks, as in fetch_pairs(): there and back. */
static __device__ void fetch_back(const slots &r, const CUtensorMap *a_map,
                                  const CUtensorMap *b_map, const product &p)
{
    const uint64_t keep = ptx_evict_normal();
    const int half = (int)cluster_rank(), steps = ceil_div(p.k, DEEP);
    int i = 0;         /* slots filled, over all outputs */
    bool back = false; /* this time */

    for (int pair = blockIdx.x / PAIR; pair < pairs_of(p);
         pair += gridDim.x / PAIR, back = !back) {
        const place at = place_of(p, pair);

        for (int step = 0; step < steps; step++, i++) {
            const int k = (back ? steps - 1 - step : step) * DEEP;
            const int s = i % STAGES;

            cluster_wait(&r.empty[s], (i / STAGES & 1) ^ 1);
            ptx_mbar_expect(&r.full[s], A_BYTES + B_BYTES);
            ptx_tile_load(r.a + s * A_BYTES, a_map, k, at.top, &r.full[s],
                          keep);
            cluster_tile_load(r.b + s * B_BYTES + half * B_BYTES / PAIR, b_map,
                              k, at.left + half * WIDE / PAIR, &r.full[s],
                              (1 << PAIR) - 1, keep);
        }
    }
}
// ANCHOR_END: inner

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    back(struct product p, const __grid_constant__ CUtensorMap a_map,
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
            fetch_back(r, &a_map, &b_map, p);
    } else {
        wgmma_take_registers<MANY>();
        later_all(p, r, group, &c_map);
    }
    cluster_sync(); /* neither reaches into the other any more */
}

extern "C" const char *gemm16_back_prepare(const struct kernel_case *c,
                                           const struct kernel_env *,
                                           void *const *buf, void **state)
{
    const struct product p = product_of(c, buf);

    if (cudaFuncSetAttribute(back, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             LATER_SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, WIDE / PAIR, WGMMA_HIGH, state);
}

extern "C" int gemm16_back(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *state)
{
    const struct product p = product_of(c, buf);
    const struct maps *m = (const struct maps *)state;
    const int blocks = pair_blocks(p, env->sms);

    if (m == NULL)
        return gemm16_mma(c, env, buf, NULL);
    back<<<blocks, THREADS, LATER_SHARED, (cudaStream_t)env->stream>>>(
        p, m->a, m->b, m->c);
    return cudaGetLastError();
}

/*
 * gemmtf32/resident - pairs of blocks that stay, and share B.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * The frame of gemm16/cluster, which took three steps there: a block for each
 * SM that goes on from tile to tile, tiles in an order that lets them share
 * rows in the L2, and two blocks that get the tile of B together. Slots fill
 * with what the next tile needs while the warp groups write sums, which are
 * twice the bytes of bf16.
 *
 * Predicts: 1.02 to 1.08 times gemmtf32/wide.
 */
#include "kernels/gemmtf32/wide.cuh"

#include "kernels/gemm16/pair.cuh"

enum { SHARED = SLOTS_BYTES + TENSOR_MAP_ALIGN };

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    resident(struct product p, const __grid_constant__ CUtensorMap a_map,
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

extern "C" const char *gemmtf32_resident_prepare(const struct kernel_case *c,
                                                 const struct kernel_env *,
                                                 void *const *buf, void **state)
{
    const struct product p = product_of(c, buf);

    if (cudaFuncSetAttribute(resident,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, WIDE / PAIR, 0, state);
}

extern "C" int gemmtf32_resident(const struct kernel_case *c,
                                 const struct kernel_env *env, void *const *buf,
                                 void *state)
{
    const struct product p = product_of(c, buf);
    const struct maps *m = (const struct maps *)state;
    const int blocks = pair_blocks(p, env->sms);

    if (m == NULL)
        return gemmtf32_mma(c, env, buf, NULL);
    resident<<<blocks, THREADS, SHARED, (cudaStream_t)env->stream>>>(p, m->a,
                                                                     m->b);
    return cudaGetLastError();
}

/*
 * gemmtf32/store - sums leave through shared memory, and the TMA writes them.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * In gemmtf32/resident a thread writes its pairs of sums by itself, 64 stores
 * that each put 32 bytes into each of eight rows. The tensor cores wait
 * meanwhile. Here a warp group puts 64 x 32 sums into shared memory, swizzled
 * as the TMA wants them, and one thread sends them away. Two panels a warp
 * group take turns, and when the last is on its way the group goes on.
 *
 * gemm16/late goes further and keeps rounded sums while the next products run.
 * Sums that stay f32 are not rounded, so they have no room beside those.
 *
 * Predicts: 1.00 to 1.02 times gemmtf32/resident at k = 4096.
 */
#include "kernels/gemmtf32/wide.cuh"

#include "kernels/gemm16/pair.cuh"
#include "kernels/gemmtf32/panels.cuh"

enum { SHARED = SLOTS_BYTES + GROUPS * PANELS * PANEL + TENSOR_MAP_ALIGN };

// ANCHOR: inner
/* A warp group: the outputs of its 64 rows, pair of tiles by pair. */
static __device__ __forceinline__ void
compute(const product &p, const slots &r, int group, const CUtensorMap *c_map)
{
    char *const panels = r.behind + group * PANELS * PANEL;
    float sum[WIDE / 2];
    int i = 0;

    for (int pair = blockIdx.x / PAIR; pair < pairs_of(p);
         pair += gridDim.x / PAIR) {
        const place at = place_of(p, pair);

        multiply(sum, r, group, ceil_div(p.k, DEEP), i, tell_both{r},
                 nothing());
        send_sums(sum, panels, c_map, group, at.top + group * WGMMA_HIGH,
                  at.left);
    }
    if (threadIdx.x % WGMMA_GROUP == 0)
        ptx_bulk_wait<0>(); /* the last panels are in C */
}
// ANCHOR_END: inner

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    store(struct product p, const __grid_constant__ CUtensorMap a_map,
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
        compute(p, r, group, &c_map);
    }
    cluster_sync(); /* neither reaches into the other any more */
}

extern "C" const char *gemmtf32_store_prepare(const struct kernel_case *c,
                                              const struct kernel_env *,
                                              void *const *buf, void **state)
{
    const struct product p = product_of(c, buf);

    if (cudaFuncSetAttribute(store, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, WIDE / PAIR, WGMMA_HIGH, state);
}

extern "C" int gemmtf32_store(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *state)
{
    const struct product p = product_of(c, buf);
    const struct maps *m = (const struct maps *)state;
    const int blocks = pair_blocks(p, env->sms);

    if (m == NULL)
        return gemmtf32_mma(c, env, buf, NULL);
    store<<<blocks, THREADS, SHARED, (cudaStream_t)env->stream>>>(p, m->a, m->b,
                                                                  m->c);
    return cudaGetLastError();
}

/*
 * gemm16/store - sums leave through shared memory, and the TMA writes them.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * Up to here a thread wrote its pairs of sums by itself. A store of a warp put
 * 16 bytes, half a sector, into each of eight rows. I reckon that 64
 * such stores a thread take longer than a slot of products.
 *
 * Now a warp puts 16 x 16 sums at once into shared memory (stmatrix), swizzled
 * as the TMA wants them, and one thread sends 64 x 64 of them away. Two panels
 * a warp group take turns: one is filled while the TMA reads the other. When
 * the last is on its way, the group goes on to its next outputs; it waits only
 * if a panel is needed again.
 *
 * Predicts: 1.03 times gemm16/cluster at k = 4096, where a tile has 64 slots.
 */
#include "kernels/gemm16/pair.cuh"
#include "kernels/gemm16/panels.cuh"

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

extern "C" const char *gemm16_store_prepare(const struct kernel_case *c,
                                            const struct kernel_env *,
                                            void *const *buf, void **state)
{
    const struct product p = product_of(c, buf);

    if (cudaFuncSetAttribute(store, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, WIDE / PAIR, WGMMA_HIGH, state);
}

extern "C" int gemm16_store(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *state)
{
    const struct product p = product_of(c, buf);
    const struct maps *m = (const struct maps *)state;
    const int blocks = pair_blocks(p, env->sms);

    if (m == NULL)
        return gemm16_mma(c, env, buf, NULL);
    store<<<blocks, THREADS, SHARED, (cudaStream_t)env->stream>>>(p, m->a, m->b,
                                                                  m->c);
    return cudaGetLastError();
}

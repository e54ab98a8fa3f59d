/*
 * gemm16/late - sums leave while the next products run.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * In gemm16/store a warp group multiplies, and then it writes. While it writes,
 * its half of the tensor cores' work stands still: I reckon with 3000 cycles of
 * a tile that takes 65536 at k = 4096. Other kernels hide that behind another
 * warp group with a tile of its own, which costs bytes from the L2.
 *
 * But the sums need not stay where they are. As bf16 they take half as many
 * registers: 64 beside the 128 for sums, and there are 232. So a warp group
 * rounds its sums, some 200 cycles, and starts its next products. In the steps
 * that follow it has nothing to do but to wait for them. There it sends the
 * rounded sums away, a panel of 64 columns a step.
 *
 * One loss stays. 8192 x 8192 outputs are 2048 tiles, and 132 SMs go through
 * them in 16 rounds where 15.5 would do. So 97.0 % of 4096 FLOP a cycle and SM
 * is the most that tiles of this size reach there, and at 4096, too. cuBLAS
 * prefers tiles of 176 x 128 at 8192: 22.8 rounds that take 23, at most 98.1 %.
 *
 * Predicts: 1.03 times gemm16/store at k = 4096, 1.015 times at 8192, where it
 * comes within two points of those 97.0 %.
 */
#include "kernels/gemm16/pair.cuh"
#include "kernels/gemm16/panels.cuh"
#include "kernels/trace.cuh"

enum {
    SHARED = SLOTS_BYTES + GROUPS * PANELS * PANEL + TENSOR_MAP_ALIGN,
    ACROSS = WIDE / 64, /* panels side by side in a tile of C */
};

// ANCHOR: inner
/* A warp group: the outputs of its 64 rows, pair of tiles by pair. */
static __device__ __forceinline__ void
compute(const product &p, const slots &r, int group, const CUtensorMap *c_map)
{
    const int steps = ceil_div(p.k, DEEP);
    char *const panels = r.behind + group * PANELS * PANEL;
    uint32_t rounded[WIDE / 4]; /* the outputs before */
    int row = -1, col = 0;      /* and where they belong; -1: there are none */
    float sum[WIDE / 2];
    int i = 0;

    TRACE_OPEN(GROUP, group, threadIdx.x % WGMMA_GROUP == 0);
    /* A panel a step; with few steps the rest comes at the end. */
    const auto send = [&](int step, bool rest) {
#pragma unroll
        for (int panel = 0; panel < ACROSS; panel++)
            if (row >= 0 && (rest ? panel >= step : panel == step)) {
                TRACE_BEGIN(STORE, panel);
                panel_send(rounded + panel * PANEL_PAIRS, panels, panel, c_map,
                           group, row, col + panel * 64);
                TRACE_END(STORE, panel);
            }
    };
    for (int pair = blockIdx.x / PAIR; pair < pairs_of(p);
         pair += gridDim.x / PAIR) {
        const place at = place_of(p, pair);

        multiply(sum, r, group, steps, i, tell_both{r},
                 [&](int step) { send(step, false); } TRACE_GIVES);
        send(steps, true);
        round_sums(rounded, sum);
        row = at.top + group * WGMMA_HIGH;
        col = at.left;
    }
    send(0, true);
    if (threadIdx.x % WGMMA_GROUP == 0)
        ptx_bulk_wait<0>(); /* the last panels are in C */
    TRACE_CLOSE();
}
// ANCHOR_END: inner

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    late(struct product p, const __grid_constant__ CUtensorMap a_map,
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

extern "C" const char *gemm16_late_prepare(const struct kernel_case *c,
                                           const struct kernel_env *,
                                           void *const *buf, void **state)
{
    const struct product p = product_of(c, buf);

    if (cudaFuncSetAttribute(late, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, WIDE / PAIR, WGMMA_HIGH, state);
}

extern "C" int gemm16_late(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *state)
{
    const struct product p = product_of(c, buf);
    const struct maps *m = (const struct maps *)state;
    const int blocks = pair_blocks(p, env->sms);

    if (m == NULL)
        return gemm16_mma(c, env, buf, NULL);
    late<<<blocks, THREADS, SHARED, (cudaStream_t)env->stream>>>(p, m->a, m->b,
                                                                 m->c);
    return cudaGetLastError();
}

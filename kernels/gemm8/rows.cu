/*
 * gemm8/rows - a scale for each row of A and of B.
 *
 * C[i][j] = a[i] b[j] Σ_k A[i][k] B[j][k].
 *
 * One scale for a whole tensor fits its largest number, and small rows lose
 * their bits. With a scale for each row of A (a token) and each row of B (an
 * output), rows use the range of e4m3 however large they are. None depends on
 * k, so products and sums are those of gemm8/direct: all that changes is what
 * the sums are multiplied by when they are rounded.
 *
 * A thread has sums of two rows and of 64 columns. It asks for two scales of A
 * and 32 pairs of B's; they come from the L2, since another tile has needed
 * them before, while the other warp group multiplies.
 *
 * Predicts: 0.99 times gemm8/direct at 8192, 0.97 times with k = 1536.
 */
#include "kernels/gemm16/eights.cuh"
#include "kernels/gemm8/wide.cuh"

// ANCHOR: inner
/* Two numbers of `scales`, which has n of them; n is even. */
static __device__ __forceinline__ float2 pair_of(const float *scales, int i,
                                                 int n)
{
    return i < n ? *(const float2 *)(scales + i) : make_float2(0, 0);
}

/* Sums of a warp group, whose first are at (row, col). */
static __device__ __forceinline__ void
scale_rows(float (&sum)[WIDE / 2], const product &p, const float *a_scales,
           const float *b_scales, int row, int col)
{
    const int warp = threadIdx.x % WGMMA_GROUP / WARP;
    const int lane = threadIdx.x % WARP;
    const int mine = row + warp * 16 + lane / 4;
    const float upper = mine < p.m ? a_scales[mine] : 0;
    const float lower = mine + 8 < p.m ? a_scales[mine + 8] : 0;

#pragma unroll
    for (int r = 0; r < WIDE / 2; r += 4) {
        const float2 b = pair_of(b_scales, col + r * 2 + lane % 4 * 2, p.n);

        sum[r] *= upper * b.x;
        sum[r + 1] *= upper * b.y;
        sum[r + 2] *= lower * b.x;
        sum[r + 3] *= lower * b.y;
    }
}

/* A warp group: the outputs of its 64 rows, pair of tiles by pair. */
static __device__ __forceinline__ void compute(const product &p, const slots &r,
                                               int group, const float *a_scales,
                                               const float *b_scales)
{
    const int steps = ceil_div(p.k, DEEP);
    float sum[WIDE / 2];
    eights before;
    int i = 0;

    before.row = EIGHTS_NONE;
    for (int pair = blockIdx.x / PAIR; pair < pairs_of(p);
         pair += gridDim.x / PAIR) {
        multiply_e4m3(sum, r, group, steps, i, tell_both{r},
                      [&](int step) { eights_put(before, step, false, p); });
        eights_put(before, steps, true, p);
        const place at = place_of(p, pair);

        scale_rows(sum, p, a_scales, b_scales, at.top + group * WGMMA_HIGH,
                   at.left);
        eights_take(before, sum, at, group);
    }
    eights_put(before, 0, true, p);
}
// ANCHOR_END: inner

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    rows(struct product p, const float *a_scales, const float *b_scales,
         const __grid_constant__ CUtensorMap a_map,
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
        compute(p, r, group, a_scales, b_scales);
    }
    cluster_sync(); /* neither reaches into the other any more */
}

extern "C" const char *gemm8_rows_prepare(const struct kernel_case *c,
                                          const struct kernel_env *,
                                          void *const *buf, void **state)
{
    const struct product p = pairs_product(c, buf);

    if (cudaFuncSetAttribute(rows, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             EIGHTS_SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, WIDE / PAIR, WGMMA_HIGH, state);
}

extern "C" int gemm8_rows(const struct kernel_case *c,
                          const struct kernel_env *env, void *const *buf,
                          void *state)
{
    const struct product p = pairs_product(c, buf);
    const struct maps *m = (const struct maps *)state;

    rows<<<pair_blocks(p, env->sms), THREADS, EIGHTS_SHARED,
           (cudaStream_t)env->stream>>>(p, (const float *)buf[3],
                                        (const float *)buf[4], m->a, m->b);
    return cudaGetLastError();
}

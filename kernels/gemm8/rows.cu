/*
 * gemm8/rows - a scale for each row of A and of B.
 *
 * C[i][j] = a[i] b[j] Σ_k A[i][k] B[j][k].
 *
 * One scale for a whole tensor fits its largest number, and small rows lose
 * their bits. With a scale for each row of A (a token) and each row of B (an
 * output), rows use the range of e4m3 however large they are. None depends on
 * k, so products and sums are those of gemm8/late: all that changes is what the
 * sums are multiplied by when they are rounded.
 *
 * A thread has sums of two rows and of 64 columns. Their scales come from the
 * L2, in 600 cycles or more. Whoever asks for them when the sums are ready
 * waits that long with nothing else to do. So a thread asks when a tile begins.
 * 66 numbers would be too many to keep until it ends, but the eight lanes that
 * have the same columns keep eight of them each, and pass them around.
 *
 * Predicts: 1.005 to 1.02 times gemm8/late in cycles at 8192.
 */
#include "kernels/gemm16/later.cuh"
#include "kernels/gemm8/wide.cuh"

// ANCHOR: inner
enum {
    KEEPERS = WARP / 4,          /* lanes that have the same columns */
    KEPT = WIDE / (8 * KEEPERS), /* pairs of scales that each keeps */
};

/* The scales of a thread's two rows, and some of those of its columns. */
struct row_scales {
    float upper, lower;
    float2 pair[KEPT];
};

/* Asks for the scales of a warp group's tile, whose first outputs are at (row,
 * col). Lane 4 g + t keeps those of columns 2 t and 2 t + 1 of the eights g, g
 * + 8, ...; p.n is a multiple of eight. */
static __device__ __forceinline__ row_scales ask(const product &p,
                                                 const float *a_scales,
                                                 const float *b_scales, int row,
                                                 int col)
{
    const int warp = threadIdx.x % WGMMA_GROUP / WARP;
    const int lane = threadIdx.x % WARP;
    const int mine = row + warp * 16 + lane / 4;
    row_scales s;

    s.upper = mine < p.m ? a_scales[mine] : 0;
    s.lower = mine + 8 < p.m ? a_scales[mine + 8] : 0;
#pragma unroll
    for (int i = 0; i < KEPT; i++) {
        const int at = col + (i * KEEPERS + lane / 4) * 8 + lane % 4 * 2;

        s.pair[i] =
            at < p.n ? *(const float2 *)(b_scales + at) : make_float2(0, 0);
    }
    return s;
}

/* Multiplies the sums. All lanes together. */
static __device__ __forceinline__ void scale_rows(float (&sum)[WIDE / 2],
                                                  const row_scales &s)
{
#pragma unroll
    for (int q = 0; q < WIDE / 8; q++) {
        const int from = q % KEEPERS * 4 + threadIdx.x % 4;
        const float x = __shfl_sync(~0u, s.pair[q / KEEPERS].x, from);
        const float y = __shfl_sync(~0u, s.pair[q / KEEPERS].y, from);

        sum[q * 4] *= s.upper * x;
        sum[q * 4 + 1] *= s.upper * y;
        sum[q * 4 + 2] *= s.lower * x;
        sum[q * 4 + 3] *= s.lower * y;
    }
}

/* A warp group: the outputs of its 64 rows, pair of tiles by pair. */
static __device__ __forceinline__ void
compute(const product &p, const slots &r, int group, const CUtensorMap *c_map,
        const float *a_scales, const float *b_scales)
{
    const int steps = ceil_div(p.k, DEEP);
    char *const panels = r.behind + group * PANELS * PANEL;
    float sum[WIDE / 2];
    later before;
    int i = 0;

    before.row = LATER_NONE;
    for (int pair = blockIdx.x / PAIR; pair < pairs_of(p);
         pair += gridDim.x / PAIR) {
        const place at = place_of(p, pair);
        const row_scales scales =
            ask(p, a_scales, b_scales, at.top + group * WGMMA_HIGH, at.left);

        multiply_e4m3(sum, r, group, steps, i, tell_both{r}, [&](int step) {
            later_send(before, step, false, panels, c_map, group);
        });
        later_send(before, steps, true, panels, c_map, group);
        scale_rows(sum, scales);
        later_take(before, sum, at, group);
    }
    later_send(before, 0, true, panels, c_map, group);
    if (threadIdx.x % WGMMA_GROUP == 0)
        ptx_bulk_wait<0>(); /* the last panels are in C */
}
// ANCHOR_END: inner

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    rows(struct product p, const float *a_scales, const float *b_scales,
         const __grid_constant__ CUtensorMap a_map,
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
        compute(p, r, group, &c_map, a_scales, b_scales);
    }
    cluster_sync(); /* neither reaches into the other any more */
}

extern "C" const char *gemm8_rows_prepare(const struct kernel_case *c,
                                          const struct kernel_env *,
                                          void *const *buf, void **state)
{
    const struct product p = pairs_product(c, buf);

    if (cudaFuncSetAttribute(rows, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             LATER_SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, WIDE / PAIR, WGMMA_HIGH, state);
}

extern "C" int gemm8_rows(const struct kernel_case *c,
                          const struct kernel_env *env, void *const *buf,
                          void *state)
{
    const struct product p = pairs_product(c, buf);
    const struct maps *m = (const struct maps *)state;

    rows<<<pair_blocks(p, env->sms), THREADS, LATER_SHARED,
           (cudaStream_t)env->stream>>>(
        p, (const float *)buf[3], (const float *)buf[4], m->a, m->b, m->c);
    return cudaGetLastError();
}

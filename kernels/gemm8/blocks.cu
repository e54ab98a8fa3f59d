/*
 * gemm8/blocks - a scale for each 128 of k: of a row of A, of 128 rows of B.
 *
 * C[i][j] = Σ_q a[q][i] b[j / 128][q] Σ_k A[i][k] B[j][k], k in block q.
 *
 * This is how DeepSeek-V3 stores its weights, in blocks of 128 x 128, and its
 * activations, in strips of 1 x 128. Scales depend on k now, so a part of 128
 * of k must leave the tensor cores before the next one begins. It does that in
 * gemm8/promote already: the addition there becomes a multiply-add.
 *
 * So a thread needs four numbers a slot: for two rows of A, and for the two
 * halves of the columns, each of which is a block of B. It asks for them before
 * it waits for the slot, and needs them when the first half's products have
 * ended, at least 256 cycles later.
 *
 * Predicts: 0.97 to 1.00 times gemm8/promote in cycles.
 */
#include "kernels/gemm16/later.cuh"
#include "kernels/gemm8/promote.cuh"

// ANCHOR: take
/* How a part counts: times the scales of its rows and columns. */
struct scaled {
    const product &p;
    const float *a, *b; /* of the thread's first row, of the first half */
    int rows;           /* that A has from there on */
    int pitch;          /* from a block of B to the next */
    float by[2][2];     /* half, row */

    __device__ void begin(int step)
    {
        const float *const at = a + (size_t)step * p.m;
        const float upper = rows > 0 ? at[0] : 0, lower = rows > 8 ? at[8] : 0;

#pragma unroll
        for (int half = 0; half < 2; half++) {
            by[half][0] = upper * b[half * pitch + step];
            by[half][1] = lower * b[half * pitch + step];
        }
    }
    __device__ float add(float sum, float part, int half, int r) const
    {
        return fmaf(part, by[half][r / 2 % 2], sum);
    }
};
// ANCHOR_END: take

/* The scales of a warp group's outputs, from (row, col) on. */
static __device__ __forceinline__ scaled scales_at(const product &p,
                                                   const float *a_scales,
                                                   const float *b_scales,
                                                   int row, int col)
{
    const int thread = threadIdx.x % WGMMA_GROUP;
    const int mine = row + thread / WARP * 16 + thread % WARP / 4;
    const int pitch = block_pitch(p), blocks = ceil_div(p.n, HALF_WIDE);
    const int block = col / HALF_WIDE;

    /* of the columns behind the last, nothing is stored */
    return {p,
            a_scales + mine,
            b_scales + (size_t)block * pitch,
            p.m - mine,
            block + 1 < blocks ? pitch : 0,
            {}};
}

/* A warp group: the outputs of its 64 rows, pair of tiles by pair. */
static __device__ __forceinline__ void
compute(const product &p, const slots &r, int group, const CUtensorMap *c_map,
        const float *a_scales, const float *b_scales)
{
    const int steps = ceil_div(p.k, DEEP);
    char *const panels = r.behind + group * PANELS * PANEL;
    float sum[WIDE / 2];
    int i = 0;

    for (int pair = blockIdx.x / PAIR; pair < pairs_of(p);
         pair += gridDim.x / PAIR) {
        const place at = place_of(p, pair);
        const int row = at.top + group * WGMMA_HIGH;

        multiply_parts(sum, r, group, steps, i, tell_both{r},
                       scales_at(p, a_scales, b_scales, row, at.left));
        send_sums(sum, panels, c_map, group, row, at.left);
    }
    if (threadIdx.x % WGMMA_GROUP == 0)
        ptx_bulk_wait<0>(); /* the last panels are in C */
}

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    blocks(struct product p, const float *a_scales, const float *b_scales,
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

extern "C" const char *gemm8_blocks_prepare(const struct kernel_case *c,
                                            const struct kernel_env *,
                                            void *const *buf, void **state)
{
    const struct product p = pairs_product(c, buf);

    if (cudaFuncSetAttribute(blocks,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             LATER_SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, WIDE / PAIR, WGMMA_HIGH, state);
}

extern "C" int gemm8_blocks(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *state)
{
    const struct product p = pairs_product(c, buf);
    const struct maps *m = (const struct maps *)state;

    blocks<<<pair_blocks(p, env->sms), THREADS, LATER_SHARED,
             (cudaStream_t)env->stream>>>(
        p, (const float *)buf[3], (const float *)buf[4], m->a, m->b, m->c);
    return cudaGetLastError();
}

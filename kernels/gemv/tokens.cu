/*
 * gemv/tokens - up to eight tokens for the price of one, on tensor cores.
 *
 * y[m][n] = Σ_k x[m][k] W[n][k], m ≤ 8.
 *
 * A weight, once loaded, can serve all tokens. On CUDA cores that is a
 * multiply-add per token and weight: at 4.8 TB/s an SM receives about ten
 * weights per cycle, so eight tokens want 80 multiply-adds of the 128 that it
 * can issue, and as much again for unpacking bf16 and loading x. A tensor core
 * does 16×8×16 of them in one instruction.
 *
 * mma.m16n8k16 takes 16 rows of W as its 16×16 operand and the tokens as its
 * 16×8 operand. Both come through shared memory, brought by the TMA in panels
 * of 64 elements of k: ROWS rows of W and eight of x (what lies beyond the last
 * token, the last row or the end of k arrives as zeros). ldmatrix then hands
 * each lane the pairs that the instruction wants; thanks to the TMA's swizzle
 * it meets no bank twice.
 *
 * A block computes ROWS outputs for all tokens. It goes along k in steps of
 * PANELS panels, STAGES steps ahead of itself: one thread asks the TMA, and
 * each of PANELS warps takes one panel of every step and at the end adds its
 * sums to the others'. From memory to the tensor core, a weight costs no
 * instruction but its share of an ldmatrix.
 *
 * Rows of W lie 8 KB apart for k = 4096. If all blocks began at k = 0 and
 * kept in step, they would all ask for the same few hundred bytes of each
 * 8 KB, and the memory channels behind those addresses would be busy while
 * the others wait. So block b starts b steps further along, and goes round.
 *
 * Rows that do not start at multiples of 16 bytes are left to gemv/warp.
 *
 * Predicts: the same time for one token as for eight, a few per cent longer
 * than gemv/row takes for one.
 */
#include "kernels/gemv/linear.cuh"
#include "kernels/tensor_map.cuh"

#include <stdlib.h>

enum {
    TOKENS = 8, /* columns of the instruction */
    ROWS = 16,  /* rows of the instruction */
    PANELS = 4, /* of a step, and warps that compute */
    STAGES = 4, /* steps in flight */
    PANEL = TENSOR_MAP_PANEL,
    SPAN = PANEL / 2, /* elements of k in a panel */
};

/* Shared memory: the panels of W, then those of x, for each stage. */
enum {
    W_BYTES = ROWS * PANEL,
    X_BYTES = TOKENS * PANEL,
    STAGE_BYTES = PANELS * (W_BYTES + X_BYTES),
    SMEM = STAGES * STAGE_BYTES + TENSOR_MAP_ALIGN,
};
static_assert(X_BYTES % TENSOR_MAP_ALIGN == 0, "every panel is aligned");

/* The one thread that asks: for all steps of the block, as slots come free. */
static __device__ void fetch(char *ring, uint64_t *full, uint64_t *empty,
                             const CUtensorMap *x, const CUtensorMap *w,
                             int steps)
{
    uint64_t once = ptx_evict_first(), keep = ptx_evict_last();

    for (int i = 0; i < steps; i++) {
        int s = i % STAGES, step = (blockIdx.x + i) % steps;
        char *slot = ring + s * STAGE_BYTES;

        ptx_mbar_wait(&empty[s], (i / STAGES & 1) ^ 1);
        ptx_mbar_expect(&full[s], STAGE_BYTES);
        for (int p = 0; p < PANELS; p++) {
            int k = (step * PANELS + p) * SPAN;

            ptx_tile_load(slot + p * W_BYTES, w, k, blockIdx.x * ROWS, &full[s],
                          once);
            ptx_tile_load(slot + PANELS * W_BYTES + p * X_BYTES, x, k, 0,
                          &full[s], keep);
        }
    }
    /* No slot is needed any more, but what arrives is to be waited for. */
    for (int i = steps < STAGES ? 0 : steps - STAGES; i < steps; i++)
        ptx_mbar_wait(&empty[i % STAGES], i / STAGES & 1);
}

/* Multiplies panel `warp` of each step; lane 4g + t ends with rows g and g+8
 * and tokens 2t and 2t+1 in sum[], as ptx_mma_bf16() has it. */
static __device__ void multiply(float sum[4], const char *ring, uint64_t *full,
                                uint64_t *empty, int steps)
{
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    int row = lane % 16, token = lane % 8; /* whose chunk the lane names */

    // ANCHOR: inner
    for (int i = 0; i < steps; i++) {
        int s = i % STAGES;
        const char *slot = ring + s * STAGE_BYTES;
        const char *w = slot + warp * W_BYTES + row * PANEL;
        const char *x =
            slot + PANELS * W_BYTES + warp * X_BYTES + token * PANEL;
        uint32_t a[4][4], b[2][4];

        ptx_mbar_wait(&full[s], i / STAGES & 1);
#pragma unroll
        for (int c = 0; c < 4; c++) /* 16 elements of k: two chunks */
            ptx_ldmatrix(a[c], w + ((2 * c + lane / 16) ^ (row & 7)) * 16);
#pragma unroll
        for (int h = 0; h < 2; h++) /* 32 elements of k: four chunks */
            ptx_ldmatrix(b[h], x + ((4 * h + lane / 8) ^ token) * 16);
        __syncwarp(); /* all lanes have read the slot */
        if (lane == 0)
            ptx_mbar_arrive(&empty[s]);
#pragma unroll
        for (int c = 0; c < 4; c++)
            ptx_mma_bf16(sum, a[c], b[c / 2][c % 2 * 2],
                         b[c / 2][c % 2 * 2 + 1]);
    }
    // ANCHOR_END: inner
}

static __global__ void __launch_bounds__((PANELS + 1) * WARP)
    tokens(struct linear l, const __grid_constant__ CUtensorMap x,
           const __grid_constant__ CUtensorMap w)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    __shared__ float part[PANELS][TOKENS][ROWS + 1];
    char *ring = raw + (-ptx_smem(raw) & (TENSOR_MAP_ALIGN - 1));
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    int g = lane / 4, t = lane % 4;
    int steps = (l.k + PANELS * SPAN - 1) / (PANELS * SPAN);

    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            ptx_mbar_init(&full[s], 1);
            ptx_mbar_init(&empty[s], PANELS);
        }
        ptx_mbar_init_fence();
    }
    __syncthreads(); /* the barriers are ready for all */
    if (warp == PANELS) {
        if (lane == 0)
            fetch(ring, full, empty, &x, &w, steps);
    } else {
        float sum[4] = {};

        multiply(sum, ring, full, empty, steps);
        for (int i = 0; i < 4; i++)
            part[warp][2 * t + i % 2][g + i / 2 * 8] = sum[i];
    }
    __syncthreads(); /* all sums are there */
    if (threadIdx.x < TOKENS * ROWS) {
        int token = threadIdx.x / ROWS, r = threadIdx.x % ROWS;
        int row = blockIdx.x * ROWS + r;
        float all = 0;

        for (int p = 0; p < PANELS; p++)
            all += part[p][token][r];
        if (token < l.m && row < l.n)
            l.y[(size_t)token * l.n + row] = bf16_round(all);
    }
}

/* The state of launch(): the tensor maps of the two matrices. */
struct maps {
    CUtensorMap x, w;
};

extern "C" const char *gemv_tokens_prepare(const struct kernel_case *c,
                                           const struct kernel_env *,
                                           void *const *buf, void **state)
{
    struct linear l = linear_of(c, buf);
    struct maps *m;
    const char *why;

    *state = NULL;
    if (!linear_aligned(&l))
        return NULL; /* no tensor map has such a pitch: left to warp */
    if (cudaFuncSetAttribute(tokens,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             SMEM) != cudaSuccess)
        return "the device has too little shared memory for the ring";
    m = (struct maps *)aligned_alloc(alignof(struct maps), sizeof *m);
    if (m == NULL)
        abort();
    why = tensor_map_make<uint16_t>(&m->x, l.x, l.m, l.k, TOKENS);
    if (why == NULL)
        why = tensor_map_make<uint16_t>(&m->w, l.w, l.n, l.k, ROWS);
    if (why != NULL) {
        free(m);
        return why;
    }
    *state = m;
    return NULL;
}

extern "C" int gemv_tokens(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *state)
{
    struct linear l = linear_of(c, buf);
    const struct maps *m = (const struct maps *)state;

    if (m == NULL)
        return gemv_warp(c, env, buf, NULL);
    tokens<<<(l.n + ROWS - 1) / ROWS, (PANELS + 1) * WARP, SMEM,
             (cudaStream_t)env->stream>>>(l, m->x, m->w);
    return cudaGetLastError();
}

extern "C" void gemv_tokens_release(void *state)
{
    free(state);
}

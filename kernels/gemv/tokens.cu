/*
 * gemv/tokens - up to eight tokens for the price of one, on tensor cores.
 *
 * y[m][n] = Σ_k x[m][k] W[n][k], m ≤ 8.
 *
 * Idea: a weight once loaded can serve all tokens. On CUDA cores that is a
 * multiply-add per token and weight: at 4.8 TB/s a multiprocessor receives
 * about ten weights per cycle, so eight tokens want 80 multiply-adds of the
 * 128 that it can issue, and as much again for unpacking bf16 and loading
 * x. A tensor core does 16×8×16 of them in one instruction.
 *
 * mma.m16n8k16 takes x as its 16×16 operand (tokens by k; rows 8 to 15 are
 * empty) and eight rows of W as its 16×8 operand. Neither needs shared
 * memory: the instruction wants lane 4g + t to hold pairs of row g, and since
 * k is summed over, which pairs is for us to say. So lane 4g + t loads 16
 * bytes of row g, elements 8t to 8t+7, and calls its words k = 2t, 2t+8 of
 * one product and k = 2t, 2t+8 of the next; x is loaded the same way.
 *
 * A load of the warp then covers 64 bytes in each of eight rows, half a
 * line, and memory likes longer runs. The hint of ptx_load_near() mends
 * that: L2 fetches 256 bytes, which the neighbours ask for next.
 *
 * A block computes eight rows; its eight warps take turns along k, 64
 * elements each, and add up their sums in shared memory at the end.
 *
 * Rows that do not start at multiples of 16 bytes are left to gemv/warp.
 *
 * Predicts: the same time for one token as for eight, a tenth longer than
 * gemv/row takes for one.
 */
#include "kernels/gemv/linear.cuh"

static const int TOKENS = 8, ROWS = 8; /* the shape of the instruction */
static const int SLICE = 64;           /* elements of k a warp takes: a line */
static const int WARPS = 8;            /* side by side along k */
static const int DEPTH = 2;            /* slices in flight per warp */
static const int BLOCKS = 4;           /* per multiprocessor: 64 registers */

/* The 16 bytes at k = i of row g of a matrix, or zeros outside it. */
static __device__ __forceinline__ uint4 piece(const uint16_t *p, int i, int k,
                                              bool inside)
{
    return inside && i < k ? eight(p + i) : make_uint4(0, 0, 0, 0);
}

static __global__ void __launch_bounds__(WARPS *WARP, BLOCKS)
    tokens(struct linear l)
{
    __shared__ float part[WARPS][TOKENS][ROWS + 1];
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    int g = lane / 4, t = lane % 4, row = blockIdx.x * ROWS;
    const uint16_t *w = l.w + (size_t)min(row + g, l.n - 1) * l.k;
    const uint16_t *x = l.x + (size_t)min(g, l.m - 1) * l.k;
    float sum[4] = {};

    // ANCHOR: inner
    for (int base = warp * SLICE; base < l.k; base += WARPS * SLICE * DEPTH) {
        uint4 b[DEPTH][2] = {};

#pragma unroll
        for (int d = 0; d < DEPTH; d++)
#pragma unroll
            for (int h = 0; h < 2; h++) { /* the halves of a line */
                int i = base + d * WARPS * SLICE + h * SLICE / 2 + t * WIDTH;

                if (i < l.k)
                    b[d][h] = ptx_load_near(w + i);
            }
#pragma unroll
        for (int d = 0; d < DEPTH; d++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                int i = base + d * WARPS * SLICE + h * SLICE / 2 + t * WIDTH;
                uint4 v = piece(x, i, l.k, g < l.m);
                uint32_t a[4] = {v.x, 0, v.y, 0}, a2[4] = {v.z, 0, v.w, 0};

                ptx_mma_bf16(sum, a, b[d][h].x, b[d][h].y);
                ptx_mma_bf16(sum, a2, b[d][h].z, b[d][h].w);
            }
    }
    // ANCHOR_END: inner
    part[warp][g][t * 2] = sum[0];
    part[warp][g][t * 2 + 1] = sum[1];
    __syncthreads();
    if (threadIdx.x < TOKENS * ROWS) {
        int token = threadIdx.x / ROWS, r = threadIdx.x % ROWS;
        float all = 0;

        for (int i = 0; i < WARPS; i++)
            all += part[i][token][r];
        if (token < l.m && row + r < l.n)
            l.y[(size_t)token * l.n + row + r] = bf16_round(all);
    }
}

extern "C" int gemv_tokens(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *state)
{
    struct linear l = linear_of(c, buf);

    if (!linear_aligned(&l))
        return gemv_warp(c, env, buf, state);
    tokens<<<(l.n + ROWS - 1) / ROWS, WARPS * WARP, 0,
             (cudaStream_t)env->stream>>>(l);
    return cudaGetLastError();
}

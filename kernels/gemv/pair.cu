/*
 * gemv/pair - two tokens for each row in flight, on CUDA cores.
 *
 * y[m][n] = Σ_k x[m][k] W[n][k], m = 2.
 *
 * gemv/tokens is made for eight tokens, and reads its weights in pieces: 128
 * bytes of each of 16 rows. gemv/row requests a whole row at once, 8 KB of
 * neighbouring addresses, and comes closer to what memory can do. Two tokens
 * can keep that advantage: the row is in registers, so multiply it with both.
 *
 * An SM receives about ten weights per cycle. Two tokens want 20 multiply-adds
 * for them, 10 more instructions to unpack the weights and 20 to unpack x: well
 * within the 128 of a cycle. At four tokens x alone wants as much as the rest
 * and L1 delivers four times what memory does; there the tensor cores are the
 * better choice.
 *
 * It is gemv/row with a second sum, and with five blocks on an SM in place of
 * four: the arithmetic takes longer, so more must be in flight meanwhile, and a
 * lane's 96 registers still hold a row's 16 loads.
 *
 * Rows that do not start at multiples of 16 bytes are left to gemv/warp.
 *
 * Predicts: where the weights are large, a few per cent less time than
 * gemv/tokens, and a few per cent more than gemv/row takes for one token.
 */
#include "kernels/gemv/linear.cuh"

enum {
    TOKENS = 2,
    ROWS = 4,            /* a warp for each row of a block */
    BLOCKS = 5,          /* per SM, see gemv/row.cuh */
    LOADS = 16,          /* of a lane, in flight at once */
    STEP = WARP * WIDTH, /* elements that a warp loads at once */
};

static __global__ void __launch_bounds__(ROWS *WARP, BLOCKS) pair(linear l)
{
    int lane = threadIdx.x % WARP;
    int row = blockIdx.x * ROWS + threadIdx.x / WARP;
    const uint16_t *w = l.w + (size_t)min(row, l.n - 1) * l.k;
    const int other = (l.m - 1) * l.k; /* elements to the second token's x */
    uint64_t once = ptx_evict_first();
    float sum[TOKENS] = {};
    int i = lane * WIDTH;

    // ANCHOR: inner
    for (; i + (LOADS - 1) * STEP < l.k; i += LOADS * STEP) {
        uint4 v[LOADS];

#pragma unroll
        for (int j = 0; j < LOADS; j++)
            v[j] = eight_once(w + i + j * STEP, once);
        asm volatile("" ::: "memory"); /* ask for all, then use the first */
#pragma unroll
        for (int j = 0; j < LOADS; j++) {
            sum[0] = dot_eight(v[j], eight(l.x + i + j * STEP), sum[0]);
            sum[1] = dot_eight(v[j], eight(l.x + other + i + j * STEP), sum[1]);
        }
    }
    // ANCHOR_END: inner
    for (; i < l.k; i += STEP) { /* the rest of the row */
        uint4 v = eight_once(w + i, once);

        sum[0] = dot_eight(v, eight(l.x + i), sum[0]);
        sum[1] = dot_eight(v, eight(l.x + other + i), sum[1]);
    }
#pragma unroll
    for (int token = 0; token < TOKENS; token++) {
        float all = sum_warp(sum[token]);

        if (lane == 0 && row < l.n && token < l.m)
            l.y[(size_t)token * l.n + row] = bf16_round(all);
    }
}

extern "C" int gemv_pair(const struct kernel_case *c,
                         const struct kernel_env *env, void *const *buf,
                         void *state)
{
    struct linear l = linear_of(c, buf);

    if (!linear_aligned(&l))
        return gemv_warp(c, env, buf, state);
    pair<<<(l.n + ROWS - 1) / ROWS, ROWS * WARP, 0,
           (cudaStream_t)env->stream>>>(l);
    return cudaGetLastError();
}

/*
 * gemv/vector - 16 bytes in every load.
 *
 * y[m][n] = Σ_k x[m][k] W[n][k]; blockIdx.y is the token m.
 *
 * This is gemv/warp with loads of eight elements. A load of the warp is now 512
 * neighbouring bytes, the most that one instruction can ask for, and one load
 * of W stands for eight of before: fewer instructions per byte, and eight times
 * the bytes in flight for the same number of loads.
 *
 * Rows that do not start at multiples of 16 bytes are left to gemv/warp.
 *
 * Predicts: 128 KB could be in flight per SM, far more than needed, so 80 % or
 * more. What remains are the ends: a warp that sums up its lanes and a block
 * that starts load nothing.
 */
#include "kernels/gemv/linear.cuh"

enum { ROWS = 8 /* a warp for each row of a block */ };

static __global__ void __launch_bounds__(ROWS *WARP) vector(struct linear l)
{
    // ANCHOR: inner
    int lane = threadIdx.x % WARP, token = blockIdx.y;
    int row = blockIdx.x * ROWS + threadIdx.x / WARP;
    const uint16_t *w = l.w + (size_t)row * l.k;
    const uint16_t *x = l.x + (size_t)token * l.k;
    float sum = 0;

    if (row >= l.n)
        return;
    for (int i = lane * WIDTH; i < l.k; i += WARP * WIDTH)
        sum = dot_eight(eight(w + i), eight(x + i), sum);
    sum = sum_warp(sum);
    if (lane == 0)
        l.y[(size_t)token * l.n + row] = bf16_round(sum);
    // ANCHOR_END: inner
}

extern "C" int gemv_vector(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *state)
{
    struct linear l = linear_of(c, buf);
    dim3 grid((l.n + ROWS - 1) / ROWS, l.m);

    if (!linear_aligned(&l))
        return gemv_warp(c, env, buf, state);
    vector<<<grid, ROWS * WARP, 0, (cudaStream_t)env->stream>>>(l);
    return cudaGetLastError();
}

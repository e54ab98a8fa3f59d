/*
 * gemv/warp - a warp computes an output.
 *
 * y[m][n] = Σ_k x[m][k] W[n][k]; blockIdx.y is the token m.
 *
 * The lanes of a warp stand side by side on the same row, so a load of the warp
 * touches 64 neighbouring bytes: two sectors, fully used. Each lane sums every
 * 32nd product; five shuffles add up the lanes.
 *
 * There are 32 times as many threads as in gemv/naive, so the machine is
 * full and its schedulers have other warps to run while one waits.
 *
 * Predicts: the requests fall to a sixteenth and all bytes of each are used,
 * but a lane still asks for two bytes at a time. A full SM of 64 warps, the
 * loop unrolled four times by the compiler, has 64 × 4 × 64 B = 16 KB in
 * flight at best, about half of what Little's law asks for (4.8 TB/s × 0.8 µs
 * / 132 = 29 KB): 40 % of peak.
 */
#include "kernels/gemv/linear.cuh"

enum { ROWS = 8 /* a warp for each row of a block */ };

static __global__ void __launch_bounds__(ROWS *WARP) warp(struct linear l)
{
    // ANCHOR: inner
    int lane = threadIdx.x % WARP, token = blockIdx.y;
    int row = blockIdx.x * ROWS + threadIdx.x / WARP;
    const uint16_t *w = l.w + (size_t)row * l.k;
    const uint16_t *x = l.x + (size_t)token * l.k;
    float sum = 0;

    if (row >= l.n)
        return;
    for (int i = lane; i < l.k; i += WARP)
        sum += bf16_value(w[i]) * bf16_value(x[i]);
    sum = sum_warp(sum);
    if (lane == 0)
        l.y[(size_t)token * l.n + row] = bf16_round(sum);
    // ANCHOR_END: inner
}

extern "C" int gemv_warp(const struct kernel_case *c,
                         const struct kernel_env *env, void *const *buf, void *)
{
    struct linear l = linear_of(c, buf);
    dim3 grid((l.n + ROWS - 1) / ROWS, l.m);

    warp<<<grid, ROWS * WARP, 0, (cudaStream_t)env->stream>>>(l);
    return cudaGetLastError();
}

/*
 * gemmtf32/mma3 - three products of tf32 for one of f32.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * An f32 has 24 bits, and tf32 holds 11. What tf32 leaves over of a number is
 * 13 bits, nearly all of which a second tf32 holds. With x = X + x' that is
 *
 *     a b = A B + A b' + a' B + a' b'
 *
 * The last product is smaller than a b by 2^-20 and is left out: 3xTF32. It is
 * how CUTLASS multiplies f32 on tensor cores (example 27). The small products
 * are added first, before the sum is large.
 *
 * A piece of A or B is split where it lies, in registers: three instructions a
 * number, 24 numbers for 48 products.
 *
 * Predicts: 0.4 times gemmtf32/mma, and at 4096 still faster than cuBLAS in
 * f32 on CUDA cores. Its error is more than twice theirs: tensor cores cut
 * their sums, which CUDA cores round.
 */
#include "kernels/gemmtf32/warp.cuh"

/* What is left over of n pieces. */
template <int N>
static __device__ __forceinline__ void left_over(uint32_t (&low)[N][4],
                                                 const uint32_t (&x)[N][4])
{
#pragma unroll
    for (int i = 0; i < N; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
            low[i][j] = split_low(__uint_as_float(x[i][j]));
}

static __global__ void __launch_bounds__(THREADS) mma3(struct product p)
{
    __shared__ __align__(16) float a[SIDE][PITCH], b[SIDE][PITCH];
    const int warp = threadIdx.x / WARP;
    const int row = warp / ACROSS * HIGH, col = warp % ACROSS * WIDE;
    const int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    float sum[ROWS16][COLS8][4] = {};

    // ANCHOR: inner
    for (int k = 0; k < p.k; k += DEEP) {
        place(a, p.a, p.m, p.k, top, k);
        place(b, p.b, p.n, p.k, left, k);
        __syncthreads(); /* the tiles are whole */
#pragma unroll
        for (int i = 0; i < DEEP; i += STEP) {
            uint32_t u[ROWS16][4], v[COLS8 / 2][4];
            uint32_t u_low[ROWS16][4], v_low[COLS8 / 2][4];

            pieces_of_a(u, a, row, i);
            pieces_of_b(v, b, col, i);
            left_over(u_low, u);
            left_over(v_low, v);
            multiply(sum, u_low, v);
            multiply(sum, u, v_low);
            multiply(sum, u, v);
        }
        __syncthreads(); /* nobody needs them any more */
    }
    // ANCHOR_END: inner
    put_warp(p, top + row, left + col, sum);
}

extern "C" int gemmtf32_mma3(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const struct product p = product_of(c, buf);
    dim3 grid(ceil_div(p.n, SIDE), ceil_div(p.m, SIDE));

    mma3<<<grid, THREADS, 0, (cudaStream_t)env->stream>>>(p);
    return cudaGetLastError();
}

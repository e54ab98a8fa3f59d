/*
 * gemmtf32/mma - tensor cores, one warp at a time.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * The instruction mma.m16n8k8 does 1024 multiply-adds of tf32 at once, with
 * sums in f32. CUDA cores would take 32 instructions of a warp. Inputs are f32
 * as they lie in memory; the tensor cores leave out their 13 low bits.
 *
 * A number takes twice the bytes of a bf16, and a product half as many of them.
 * So a byte from shared memory or the L2 has to do for a fourth of the
 * multiply-adds that it feeds in gemm16/mma, at half the rate.
 *
 * Nobody loads while anybody multiplies. So the tensor cores wait for memory,
 * once every 32 steps of k.
 *
 * Predicts: 90 to 140 TFLOP/s, twice what CUDA cores can do.
 */
#include "kernels/gemmtf32/warp.cuh"

static __global__ void __launch_bounds__(THREADS) mma(struct product p)
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

            pieces_of_a(u, a, row, i);
            pieces_of_b(v, b, col, i);
            multiply(sum, u, v);
        }
        __syncthreads(); /* nobody needs them any more */
    }
    // ANCHOR_END: inner
    put_warp(p, top + row, left + col, sum);
}

extern "C" int gemmtf32_mma(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *)
{
    const struct product p = product_of(c, buf);
    dim3 grid(ceil_div(p.n, SIDE), ceil_div(p.m, SIDE));

    mma<<<grid, THREADS, 0, (cudaStream_t)env->stream>>>(p);
    return cudaGetLastError();
}

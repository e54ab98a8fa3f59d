/*
 * gemm32/naive - the triple loop, with a thread for each output.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * Two of the three loops become threads, the third is the body: two loads for
 * one FMA. The 32 lanes of a warp have 32 neighbours in a row of C, so they
 * need one row of A and 32 rows of B. At one k these are 32 numbers in 32
 * cache lines, 4k bytes apart. The L1 finds nearly all of them, since it keeps
 * a line for the next 32 steps. But it looks for one line after the other.
 *
 * Predicts: 0.5 to 1.5 TFLOP/s, 2 % of the CUDA cores' peak. The L1 looks up
 * lines, and neither memory nor arithmetic is busy.
 */
#include "kernels/gemm32/product.cuh"

enum { SIDE = 32 /* threads in each direction: a warp is a row of them */ };

static __global__ void __launch_bounds__(SIDE *SIDE) naive(struct product p)
{
    // ANCHOR: inner
    const int row = blockIdx.y * SIDE + threadIdx.y;
    const int col = blockIdx.x * SIDE + threadIdx.x;
    float sum = 0;

    if (row >= p.m || col >= p.n)
        return;
    for (int k = 0; k < p.k; k++)
        sum += p.a[(size_t)row * p.k + k] * p.b[(size_t)col * p.k + k];
    // ANCHOR_END: inner
    put(p, row, col, sum);
}

extern "C" int gemm32_naive(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *)
{
    const struct product p = product_of(c, buf);
    dim3 grid(ceil_div(p.n, SIDE), ceil_div(p.m, SIDE)), block(SIDE, SIDE);

    naive<<<grid, block, 0, (cudaStream_t)env->stream>>>(p);
    return cudaGetLastError();
}

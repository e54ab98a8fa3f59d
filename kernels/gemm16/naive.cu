/*
 * gemm16/naive - the triple loop, with a thread for each output.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * Two of the three loops become threads, the third is the body. Each step
 * loads two bf16, makes them f32 and adds their product: two loads for one
 * FMA. And the 16 threads that share a row of A have 16 rows of B, 2k bytes
 * apart, so each load of a warp touches up to 16 sectors and takes two bytes of
 * each. The L1 saves most of the traffic, but not the requests.
 *
 * Predicts: below 1 % of the tensor cores' peak, whatever the size. The LSU is
 * busy, and neither memory nor arithmetic.
 */
#include "kernels/gemm16/product.cuh"

enum { SIDE = 16 /* threads in each direction */ };

static __global__ void __launch_bounds__(SIDE *SIDE) naive(struct product p)
{
    // ANCHOR: inner
    int row = blockIdx.y * SIDE + threadIdx.y;
    int col = blockIdx.x * SIDE + threadIdx.x;
    float sum = 0;

    if (row >= p.m || col >= p.n)
        return;
    for (int k = 0; k < p.k; k++)
        sum += bf16_value(p.a[(size_t)row * p.k + k]) *
               bf16_value(p.b[(size_t)col * p.k + k]);
    p.c[(size_t)row * p.n + col] = bf16_round(sum);
    // ANCHOR_END: inner
}

extern "C" int gemm16_naive(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *)
{
    struct product p = product_of(c, buf);
    dim3 grid(ceil_div(p.n, SIDE), ceil_div(p.m, SIDE)), block(SIDE, SIDE);

    naive<<<grid, block, 0, (cudaStream_t)env->stream>>>(p);
    return cudaGetLastError();
}

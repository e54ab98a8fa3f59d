/*
 * gemm16/tile - a block shares what it loads.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * 32 x 32 outputs need 32 rows of A and 32 of B. The block loads 32 elements of
 * each row into shared memory, neighbours by neighbouring threads, so that the
 * loads are coalesced; then each thread takes 32 steps from there. An element
 * that came once from the L2 is used 32 times.
 *
 * A row in shared memory is 33 words long. The 32 lanes of a warp read 32 rows
 * of B at the same k: with rows of 32 words they would all meet one bank.
 *
 * Still two loads for one FMA, now from shared memory, which hands one warp one
 * word a lane each cycle. So an SM does at most one FMA of a warp in two
 * cycles, where its four schedulers could do eight.
 *
 * Predicts: at most an eighth of the CUDA cores' peak, 8 TFLOP/s, which is
 * below 1 % of the tensor cores'.
 */
#include "kernels/gemm16/product.cuh"

enum { SIDE = 32 /* outputs and steps of k in each direction */ };

static __global__ void __launch_bounds__(SIDE *SIDE) tile(struct product p)
{
    __shared__ float a[SIDE][SIDE + 1], b[SIDE][SIDE + 1];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * SIDE + y, col = blockIdx.x * SIDE + x;
    float sum = 0;

    // ANCHOR: inner
    for (int k = 0; k < p.k; k += SIDE) {
        const int other = blockIdx.x * SIDE + y; /* the row of B to load */
        const bool deep = k + x < p.k;

        a[y][x] =
            deep && row < p.m ? bf16_value(p.a[(size_t)row * p.k + k + x]) : 0;
        b[y][x] = deep && other < p.n
                      ? bf16_value(p.b[(size_t)other * p.k + k + x])
                      : 0;
        __syncthreads(); /* the tiles are whole */
#pragma unroll
        for (int i = 0; i < SIDE; i++)
            sum += a[y][i] * b[x][i];
        __syncthreads(); /* nobody needs them any more */
    }
    // ANCHOR_END: inner
    if (row < p.m && col < p.n)
        p.c[(size_t)row * p.n + col] = bf16_round(sum);
}

extern "C" int gemm16_tile(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *)
{
    struct product p = product_of(c, buf);
    dim3 grid(ceil_div(p.n, SIDE), ceil_div(p.m, SIDE)), block(SIDE, SIDE);

    tile<<<grid, block, 0, (cudaStream_t)env->stream>>>(p);
    return cudaGetLastError();
}

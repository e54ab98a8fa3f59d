/*
 * gemm32/tile - a block shares what it loads.
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
 * Predicts: 1.5 times gemm32/coalesced, and at most 8 TFLOP/s, an eighth of the
 * peak.
 */
#include "kernels/gemm32/product.cuh"

enum { SIDE = 32 /* outputs and steps of k in each direction */ };

static __global__ void __launch_bounds__(SIDE *SIDE) tile(struct product p)
{
    __shared__ float a[SIDE][SIDE + 1], b[SIDE][SIDE + 1];
    const int x = threadIdx.x, y = threadIdx.y;
    const int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    float sum = 0;

    // ANCHOR: inner
    for (int k = 0; k < p.k; k += SIDE) {
        a[y][x] = one_of(p.a, p.m, p.k, top + y, k + x);
        b[y][x] = one_of(p.b, p.n, p.k, left + y, k + x);
        __syncthreads(); /* the tiles are whole */
#pragma unroll
        for (int i = 0; i < SIDE; i++)
            sum += a[y][i] * b[x][i];
        __syncthreads(); /* nobody needs them any more */
    }
    // ANCHOR_END: inner
    put(p, top + y, left + x, sum);
}

extern "C" int gemm32_tile(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *)
{
    const struct product p = product_of(c, buf);
    dim3 grid(ceil_div(p.n, SIDE), ceil_div(p.m, SIDE)), block(SIDE, SIDE);

    tile<<<grid, block, 0, (cudaStream_t)env->stream>>>(p);
    return cudaGetLastError();
}

/*
 * gemm32/column - a thread has eight outputs below each other.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * Eight outputs of a column of C have their number of B in common. A thread
 * loads it once and does eight FMAs with it: nine loads for eight FMAs, where
 * there were sixteen. And the eight numbers of A are the same for all lanes of
 * a warp and lie side by side, so two loads of 16 bytes bring them.
 *
 * The tiles lie with k outside. A warp stores 4 rows of 8 neighbours along k,
 * and reads 32 columns. Rows of 64 + 4 words keep both free of bank conflicts.
 *
 * Predicts: 2.5 times gemm32/tile, a quarter of the peak.
 */
#include "kernels/gemm32/product.cuh"

enum {
    SIDE = 64, /* outputs of a block in each direction */
    DEEP = 8,  /* of k at a time */
    MINE = 8,  /* outputs of a thread, below each other */
    THREADS = SIDE * SIDE / MINE,
    PITCH = SIDE + 4, /* words from k to k in shared memory */
};
static_assert(SIDE * DEEP == THREADS, "an element of each tile a thread");

static __global__ void __launch_bounds__(THREADS) column(struct product p)
{
    __shared__ __align__(16) float a[DEEP][PITCH], b[DEEP][PITCH];
    const int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    const int row = threadIdx.x / DEEP, at = threadIdx.x % DEEP; /* to load */
    const int x = threadIdx.x % SIDE, y = threadIdx.x / SIDE * MINE;
    float sum[MINE] = {};

    // ANCHOR: inner
    for (int k = 0; k < p.k; k += DEEP) {
        a[at][row] = one_of(p.a, p.m, p.k, top + row, k + at);
        b[at][row] = one_of(p.b, p.n, p.k, left + row, k + at);
        __syncthreads(); /* the tiles are whole */
#pragma unroll
        for (int i = 0; i < DEEP; i++) {
            const float v = b[i][x];

#pragma unroll
            for (int r = 0; r < MINE; r++)
                sum[r] += a[i][y + r] * v;
        }
        __syncthreads(); /* nobody needs them any more */
    }
    // ANCHOR_END: inner
#pragma unroll
    for (int r = 0; r < MINE; r++)
        put(p, top + y + r, left + x, sum[r]);
}

extern "C" int gemm32_column(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const struct product p = product_of(c, buf);
    dim3 grid(ceil_div(p.n, SIDE), ceil_div(p.m, SIDE));

    column<<<grid, THREADS, 0, (cudaStream_t)env->stream>>>(p);
    return cudaGetLastError();
}

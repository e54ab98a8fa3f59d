/*
 * gemm32/square - 8 x 8 outputs a thread.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * A thread that has 8 rows and 8 columns loads 16 numbers a step and does 64
 * FMAs with them: four for each load, where gemm32/column has one. 256 threads
 * make a tile of 128 x 128, and an element from the L2 is used 128 times.
 *
 * A thread's rows are 16 apart, and its columns too. So the lanes of a warp
 * read 16 neighbouring words of B and 2 of A at a time, and meet no bank twice.
 *
 * A load of a warp is an instruction, and a scheduler starts one instruction a
 * cycle. 64 FMAs and 16 loads are 80: at best 80 % of the peak.
 *
 * Predicts: 1.8 times gemm32/column, 40 to 60 % of the peak.
 */
#include "kernels/gemm32/product.cuh"

enum {
    SIDE = 128, /* outputs of a block in each direction */
    DEEP = 8,   /* of k at a time */
    MINE = 8,   /* outputs of a thread in each direction */
    ACROSS = SIDE / MINE,
    THREADS = ACROSS * ACROSS,
    PITCH = SIDE + 4, /* words from k to k in shared memory */
};

/* A thread's elements of a tile; k lies outside. */
static __device__ __forceinline__ void place(float (&to)[DEEP][PITCH],
                                             const float *x, int rows,
                                             int depth, int first, int k)
{
#pragma unroll
    for (int v = threadIdx.x; v < SIDE * DEEP; v += THREADS)
        to[v % DEEP][v / DEEP] =
            one_of(x, rows, depth, first + v / DEEP, k + v % DEEP);
}

static __global__ void __launch_bounds__(THREADS) square(struct product p)
{
    __shared__ float a[DEEP][PITCH], b[DEEP][PITCH];
    const int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    const int x = threadIdx.x % ACROSS, y = threadIdx.x / ACROSS;
    float sum[MINE][MINE] = {};

    // ANCHOR: inner
    for (int k = 0; k < p.k; k += DEEP) {
        place(a, p.a, p.m, p.k, top, k);
        place(b, p.b, p.n, p.k, left, k);
        __syncthreads(); /* the tiles are whole */
#pragma unroll
        for (int i = 0; i < DEEP; i++) {
            float u[MINE], v[MINE];

#pragma unroll
            for (int r = 0; r < MINE; r++) {
                u[r] = a[i][y + r * ACROSS];
                v[r] = b[i][x + r * ACROSS];
            }
#pragma unroll
            for (int r = 0; r < MINE; r++)
#pragma unroll
                for (int c = 0; c < MINE; c++)
                    sum[r][c] += u[r] * v[c];
        }
        __syncthreads(); /* nobody needs them any more */
    }
    // ANCHOR_END: inner
#pragma unroll
    for (int r = 0; r < MINE; r++)
#pragma unroll
        for (int c = 0; c < MINE; c++)
            put(p, top + y + r * ACROSS, left + x + c * ACROSS, sum[r][c]);
}

extern "C" int gemm32_square(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const struct product p = product_of(c, buf);
    dim3 grid(ceil_div(p.n, SIDE), ceil_div(p.m, SIDE));

    square<<<grid, THREADS, 0, (cudaStream_t)env->stream>>>(p);
    return cudaGetLastError();
}

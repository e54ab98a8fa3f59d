/*
 * gemm32/warps - a warp has outputs that lie close together.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * In gemm32/vectors a warp has 2 threads below each other and 16 side by side.
 * At each k it reads 16 numbers of A and 128 of B. Here it has 4 x 8 threads,
 * which make 32 x 64 outputs, and it reads 32 and 64: 96 in place of 144.
 *
 * Shared memory serves a load of 16 bytes in halves of a warp, in one cycle if
 * a half needs 128 bytes or less in all and lanes that share an address are
 * neighbours, or two apart. So bits 1 and 3 of the lane say which row, and bits
 * 0, 2 and 4 which column: CUTLASS has the same order.
 *
 * Predicts: 1.05 times gemm32/vectors, 65 % of the peak.
 */
#include "kernels/gemm32/product.cuh"

enum {
    SIDE = 128,           /* outputs of a block in each direction */
    DEEP = 16,            /* of k at a time */
    MINE = 8,             /* outputs of a thread in each direction */
    HALF = 4,             /* of them that are neighbours */
    HIGH = 32,            /* outputs of a warp: rows */
    WIDE = 64,            /* and columns */
    ACROSS = SIDE / WIDE, /* warps side by side */
    THREADS = SIDE / HIGH * ACROSS * WARP,
    PITCH = SIDE + 4, /* words from k to k; rows of 16 bytes */
};

/* A thread's vectors of a tile, from rows of x to columns of `to`. */
static __device__ __forceinline__ void place(float (&to)[DEEP][PITCH],
                                             const float *x, int rows,
                                             int depth, int first, int k)
{
#pragma unroll
    for (int i = threadIdx.x; i < SIDE * DEEP / WIDTH; i += THREADS) {
        const int row = i % SIDE, at = i / SIDE * WIDTH;
        const float4 v = four_of(x, rows, depth, first + row, k + at);

        to[at][row] = v.x;
        to[at + 1][row] = v.y;
        to[at + 2][row] = v.z;
        to[at + 3][row] = v.w;
    }
}

/* The thread's eight numbers of a row in shared memory; its halves are `apart`.
 */
static __device__ __forceinline__ void mine(float (&v)[MINE], const float *from,
                                            int apart)
{
    *(float4 *)v = *(const float4 *)from;
    *(float4 *)(v + HALF) = *(const float4 *)(from + apart);
}

static __global__ void __launch_bounds__(THREADS, 2) warps(struct product p)
{
    __shared__ __align__(16) float a[DEEP][PITCH], b[DEEP][PITCH];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    // ANCHOR: lanes
    const int y = (lane >> 1 & 1) + (lane >> 2 & 2);
    const int x = (lane & 1) + (lane >> 1 & 2) + (lane >> 2 & 4);
    const int row = warp / ACROSS * HIGH + y * HALF;
    const int col = warp % ACROSS * WIDE + x * HALF;
    // ANCHOR_END: lanes
    float sum[MINE][MINE] = {};

    // ANCHOR: inner
    for (int k = 0; k < p.k; k += DEEP) {
        place(a, p.a, p.m, p.k, top, k);
        place(b, p.b, p.n, p.k, left, k);
        __syncthreads(); /* the tiles are whole */
#pragma unroll
        for (int i = 0; i < DEEP; i++) {
            __align__(16) float u[MINE], v[MINE];

            mine(u, a[i] + row, HIGH / 2);
            mine(v, b[i] + col, WIDE / 2);
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
            put(p, top + row + r / HALF * HIGH / 2 + r % HALF,
                left + col + c / HALF * WIDE / 2 + c % HALF, sum[r][c]);
}

extern "C" int gemm32_warps(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *)
{
    const struct product p = product_of(c, buf);
    dim3 grid(ceil_div(p.n, SIDE), ceil_div(p.m, SIDE));

    warps<<<grid, THREADS, 0, (cudaStream_t)env->stream>>>(p);
    return cudaGetLastError();
}

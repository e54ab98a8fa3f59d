/*
 * gemm32/vectors - 16 bytes a load.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * An instruction that loads four neighbours takes one slot of the scheduler, as
 * one does that loads a single word. A thread has rows 4y ... 4y+3 and 64 + 4y
 * ..., and columns likewise. So its 16 numbers are four loads, and 64 FMAs are
 * 94 % of all instructions. From global memory, too, it takes 16 bytes at a
 * time: four steps of k of a row, which go to four rows in shared memory.
 *
 * A warp stores 32 neighbours of such a row, and meets no bank twice.
 *
 * Predicts: 1.25 times gemm32/square, 60 % of the peak. Nobody loads while
 * anybody multiplies; two blocks share an SM to hide that.
 */
#include "kernels/gemm32/product.cuh"

enum {
    SIDE = 128, /* outputs of a block in each direction */
    DEEP = 16,  /* of k at a time */
    MINE = 8,   /* outputs of a thread in each direction */
    HALF = 4,   /* of them that are neighbours */
    ACROSS = SIDE / MINE,
    THREADS = ACROSS * ACROSS,
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

/* The thread's eight numbers of a row in shared memory. */
static __device__ __forceinline__ void mine(float (&v)[MINE], const float *row,
                                            int place)
{
    *(float4 *)v = *(const float4 *)(row + place * HALF);
    *(float4 *)(v + HALF) = *(const float4 *)(row + SIDE / 2 + place * HALF);
}

static __global__ void __launch_bounds__(THREADS, 2) vectors(struct product p)
{
    __shared__ __align__(16) float a[DEEP][PITCH], b[DEEP][PITCH];
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
            __align__(16) float u[MINE], v[MINE];

            mine(u, a[i], y);
            mine(v, b[i], x);
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
            put(p, top + r / HALF * SIDE / 2 + y * HALF + r % HALF,
                left + c / HALF * SIDE / 2 + x * HALF + c % HALF, sum[r][c]);
}

extern "C" int gemm32_vectors(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *)
{
    const struct product p = product_of(c, buf);
    dim3 grid(ceil_div(p.n, SIDE), ceil_div(p.m, SIDE));

    vectors<<<grid, THREADS, 0, (cudaStream_t)env->stream>>>(p);
    return cudaGetLastError();
}

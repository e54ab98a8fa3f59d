/*
 * gemm16/registers - 8 x 8 outputs a thread, so that loads are few.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * A thread that has 8 rows and 8 columns loads 16 numbers a step and does 64
 * FMAs with them: four for each load, where there was half a one. 256 threads
 * make a tile of 128 x 128, and an element from the L2 is used 128 times.
 *
 * The tiles lie with k outside, so that the eight numbers of a thread are two
 * loads of 16 bytes. A lane has rows 4y ... 4y+3 and 64 + 4y ..., and columns
 * likewise: then neighbouring lanes read neighbouring 16 bytes, and no bank is
 * met twice.
 *
 * Predicts: 60 % of the CUDA cores' 66.9 TFLOP/s, about 40 TFLOP/s; 4 % of what
 * the tensor cores can do. This is where CUDA cores end.
 */
#include "kernels/gemm16/product.cuh"

enum {
    SIDE = 128, /* outputs of a block in each direction */
    DEEP = 16,  /* of k at a time */
    MINE = 8,   /* outputs of a thread in each direction */
    HALF = 4,   /* of them that are neighbours */
    ACROSS = SIDE / MINE,
    THREADS = ACROSS * ACROSS,
    PITCH = SIDE + 4, /* of a row in shared memory; rows of 16 bytes */
};
static_assert(SIDE * DEEP / WIDTH == THREADS, "one vector a thread");

/* One vector of a thread, from a row of x to a column of `to`. */
static __device__ __forceinline__ void place(float (&to)[DEEP][PITCH],
                                             const uint16_t *x, int rows,
                                             int depth, int first, int k)
{
    const int row = threadIdx.x % SIDE, at = threadIdx.x / SIDE * WIDTH;
    const uint4 v = eight_of(x, rows, depth, first + row, k + at);
    const uint32_t word[4] = {v.x, v.y, v.z, v.w};

#pragma unroll
    for (int i = 0; i < 4; i++) {
        to[at + 2 * i][row] = bf16_first(word[i]);
        to[at + 2 * i + 1][row] = bf16_second(word[i]);
    }
}

/* The thread's eight numbers of a row in shared memory. */
static __device__ __forceinline__ void mine(float (&v)[MINE], const float *row,
                                            int place)
{
    *(float4 *)v = *(const float4 *)(row + place * HALF);
    *(float4 *)(v + HALF) = *(const float4 *)(row + SIDE / 2 + place * HALF);
}

static __global__ void __launch_bounds__(THREADS) registers(struct product p)
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
            float u[MINE], v[MINE];

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
        for (int c = 0; c < MINE; c += 2)
            put_pair(p, top + r / HALF * SIDE / 2 + y * HALF + r % HALF,
                     left + c / HALF * SIDE / 2 + x * HALF + c % HALF,
                     sum[r][c], sum[r][c + 1]);
}

extern "C" int gemm16_registers(const struct kernel_case *c,
                                const struct kernel_env *env, void *const *buf,
                                void *)
{
    struct product p = product_of(c, buf);
    dim3 grid(ceil_div(p.n, SIDE), ceil_div(p.m, SIDE));

    registers<<<grid, THREADS, 0, (cudaStream_t)env->stream>>>(p);
    return cudaGetLastError();
}

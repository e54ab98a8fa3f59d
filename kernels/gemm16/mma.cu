/*
 * gemm16/mma - tensor cores, one warp at a time.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * The instruction mma.m16n8k16 does 2048 multiply-adds of bf16 at once, with
 * sums in f32. CUDA cores would take 64 instructions of a warp, and more to
 * make the inputs f32. Numbers now stay bf16 up to the tensor core, so a tile
 * takes half the shared memory as well.
 *
 * A warp has 64 x 32 outputs: four by four of the instruction's. For 16 steps
 * of k it loads four pieces of A and two of B with ldmatrix, and multiplies 16
 * times. Rows in shared memory are 80 bytes apart, and eight of these begin in
 * eight different groups of four banks: ldmatrix meets no bank twice.
 *
 * Nobody loads while anybody multiplies. So the tensor cores wait for memory,
 * once every 32 steps of k.
 *
 * Predicts: a third of the old instruction's rate, which is itself two thirds
 * of Hopper's own: about 200 TFLOP/s.
 */
#include "kernels/gemm16/product.cuh"

enum {
    SIDE = 128,           /* outputs of a block in each direction */
    DEEP = 32,            /* of k at a time */
    PITCH = DEEP + WIDTH, /* elements from row to row in shared memory */
    HIGH = 64,            /* outputs of a warp: rows */
    WIDE = 32,            /* and columns */
    ACROSS = SIDE / WIDE, /* warps side by side */
    THREADS = SIDE / HIGH * ACROSS * WARP,
    ROWS16 = HIGH / 16,                      /* instructions of a warp: rows */
    COLS8 = WIDE / 8,                        /* and columns */
    VECTORS = SIDE * DEEP / WIDTH / THREADS, /* that a thread loads of a tile */
};

/* A thread's vectors of a tile of SIDE rows from `first` on. */
static __device__ __forceinline__ void place(uint16_t (&to)[SIDE][PITCH],
                                             const uint16_t *x, int rows,
                                             int depth, int first, int k)
{
#pragma unroll
    for (int i = 0; i < VECTORS; i++) {
        const int v = threadIdx.x + i * THREADS;
        const int row = v / (DEEP / WIDTH), at = v % (DEEP / WIDTH) * WIDTH;

        *(uint4 *)&to[row][at] = eight_of(x, rows, depth, first + row, k + at);
    }
}

static __global__ void __launch_bounds__(THREADS) mma(struct product p)
{
    __shared__ __align__(16) uint16_t a[SIDE][PITCH], b[SIDE][PITCH];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const int row = warp / ACROSS * HIGH, col = warp % ACROSS * WIDE;
    const int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    float sum[ROWS16][COLS8][4] = {};

    // ANCHOR: inner
    for (int k = 0; k < p.k; k += DEEP) {
        place(a, p.a, p.m, p.k, top, k);
        place(b, p.b, p.n, p.k, left, k);
        __syncthreads(); /* the tiles are whole */
#pragma unroll
        for (int i = 0; i < DEEP; i += 16) {
            uint32_t u[ROWS16][4], v[COLS8 / 2][4];

#pragma unroll
            for (int r = 0; r < ROWS16; r++)
                ptx_ldmatrix(
                    u[r], &a[row + r * 16 + lane % 16][i + lane / 16 * WIDTH]);
#pragma unroll
            for (int c = 0; c < COLS8 / 2; c++)
                ptx_ldmatrix(v[c], &b[col + c * 16 + lane / 16 * 8 + lane % 8]
                                     [i + lane / 8 % 2 * WIDTH]);
#pragma unroll
            for (int r = 0; r < ROWS16; r++)
#pragma unroll
                for (int c = 0; c < COLS8; c++)
                    ptx_mma_bf16(sum[r][c], u[r], v[c / 2][c % 2 * 2],
                                 v[c / 2][c % 2 * 2 + 1]);
        }
        __syncthreads(); /* nobody needs them any more */
    }
    // ANCHOR_END: inner
#pragma unroll
    for (int r = 0; r < ROWS16; r++)
#pragma unroll
        for (int c = 0; c < COLS8; c++)
#pragma unroll
            for (int h = 0; h < 2; h++)
                put_pair(p, top + row + r * 16 + h * 8 + lane / 4,
                         left + col + c * 8 + lane % 4 * 2, sum[r][c][2 * h],
                         sum[r][c][2 * h + 1]);
}

extern "C" int gemm16_mma(const struct kernel_case *c,
                          const struct kernel_env *env, void *const *buf,
                          void *)
{
    struct product p = product_of(c, buf);
    dim3 grid(ceil_div(p.n, SIDE), ceil_div(p.m, SIDE));

    mma<<<grid, THREADS, 0, (cudaStream_t)env->stream>>>(p);
    return cudaGetLastError();
}

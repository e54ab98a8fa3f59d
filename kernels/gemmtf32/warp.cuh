/*
 * kernels/gemmtf32/warp.cuh - the tiles of kernels that use mma.sync.
 *
 * A block has 128 x 128 outputs, a warp 64 x 32 of them: four by four of the
 * instruction's. Rows in shared memory are 144 bytes apart, and eight of these
 * begin in eight different groups of four banks: ldmatrix meets no bank twice.
 * It moves 8 x 8 numbers of 16 bits; to it, four numbers of 32 bits are a row.
 */
#ifndef KERNELS_GEMMTF32_WARP_CUH
#define KERNELS_GEMMTF32_WARP_CUH

#include "kernels/gemmtf32/product.cuh"

enum {
    SIDE = 128,           /* outputs of a block in each direction */
    DEEP = 32,            /* of k at a time */
    PITCH = DEEP + WIDTH, /* elements from row to row in shared memory */
    HIGH = 64,            /* outputs of a warp: rows */
    WIDE = 32,            /* and columns */
    ACROSS = SIDE / WIDE, /* warps side by side */
    THREADS = SIDE / HIGH * ACROSS * WARP,
    STEP = 8,                                /* of k in an instruction */
    ROWS16 = HIGH / 16,                      /* instructions of a warp: rows */
    COLS8 = WIDE / 8,                        /* and columns */
    VECTORS = SIDE * DEEP / WIDTH / THREADS, /* that a thread loads of a tile */
};

/* A thread's vectors of a tile of SIDE rows from `first` on. */
static __device__ __forceinline__ void place(float (&to)[SIDE][PITCH],
                                             const float *x, int rows,
                                             int depth, int first, int k)
{
#pragma unroll
    for (int i = 0; i < VECTORS; i++) {
        const int v = threadIdx.x + i * THREADS;
        const int row = v / (DEEP / WIDTH), at = v % (DEEP / WIDTH) * WIDTH;

        *(float4 *)&to[row][at] = four_of(x, rows, depth, first + row, k + at);
    }
}

/* The warp's pieces of A: rows from `row` on, STEP of k from `k` on. */
static __device__ __forceinline__ void
pieces_of_a(uint32_t (&u)[ROWS16][4], const float (&a)[SIDE][PITCH], int row,
            int k)
{
    const int lane = threadIdx.x % WARP;

#pragma unroll
    for (int r = 0; r < ROWS16; r++)
        ptx_ldmatrix(u[r], &a[row + r * 16 + lane % 16][k + lane / 16 * WIDTH]);
}

/* Its pieces of B, two side by side in each. */
static __device__ __forceinline__ void
pieces_of_b(uint32_t (&v)[COLS8 / 2][4], const float (&b)[SIDE][PITCH], int col,
            int k)
{
    const int lane = threadIdx.x % WARP;

#pragma unroll
    for (int c = 0; c < COLS8 / 2; c++)
        ptx_ldmatrix(v[c], &b[col + c * 16 + lane / 16 * 8 + lane % 8]
                             [k + lane / 8 % 2 * WIDTH]);
}

/* All products of pieces. */
static __device__ __forceinline__ void
multiply(float (&sum)[ROWS16][COLS8][4], const uint32_t (&u)[ROWS16][4],
         const uint32_t (&v)[COLS8 / 2][4])
{
#pragma unroll
    for (int r = 0; r < ROWS16; r++)
#pragma unroll
        for (int c = 0; c < COLS8; c++)
            ptx_mma_tf32(sum[r][c], u[r], v[c / 2][c % 2 * 2],
                         v[c / 2][c % 2 * 2 + 1]);
}

/* The warp's sums to C, from (row, col) on. */
static __device__ __forceinline__ void
put_warp(const struct product &p, int row, int col,
         const float (&sum)[ROWS16][COLS8][4])
{
    const int lane = threadIdx.x % WARP;

#pragma unroll
    for (int r = 0; r < ROWS16; r++)
#pragma unroll
        for (int c = 0; c < COLS8; c++)
#pragma unroll
            for (int h = 0; h < 2; h++)
                put_pair(p, row + r * 16 + h * 8 + lane / 4,
                         col + c * 8 + lane % 4 * 2, sum[r][c][2 * h],
                         sum[r][c][2 * h + 1]);
}

#endif

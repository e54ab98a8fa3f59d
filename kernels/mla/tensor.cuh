/*
 * kernels/mla/tensor.cuh - products on mma.sync, from tiles of 64 x 64 elements
 * that cp.async brings: 8 KB, rows of 128 bytes, swizzled in 16-byte chunks.
 */
#ifndef KERNELS_MLA_TENSOR_CUH
#define KERNELS_MLA_TENSOR_CUH

#include "kernels/mla/absorbed.cuh"
#include "kernels/prefill/ptx.cuh"

enum {
    SIDE = 64,   /* of a tile */
    CHUNKS = 8,  /* of 16 bytes in a row */
    ACROSS = 16, /* rows and columns of a product */
    TILE_BYTES = SIDE * SIDE * 2,
};

/* Where chunk j of row i of a tile lies. */
static __device__ __forceinline__ char *chunk_at(char *tile, int i, int j)
{
    return tile + i * (SIDE * 2) + (j ^ i % 8) * 16;
}

/* All `threads` of a block ask for a tile whose rows are `pitch` elements
 * apart; those behind the first `rows` are zeros. */
static __device__ __forceinline__ void
bring(char *tile, const uint16_t *from, size_t pitch, int rows, int threads)
{
    for (int n = threadIdx.x; n < SIDE * CHUNKS; n += threads) {
        const int i = n / CHUNKS, j = n % CHUNKS;
        const bool there = i < rows;

        ptx_copy_16(chunk_at(tile, i, j),
                    from + (there ? i : 0) * pitch + j * WIDTH, there);
    }
}

/* 16 x 16 of a left operand: rows from `row` on, columns from 16 `step` on. */
static __device__ __forceinline__ void take_left(uint32_t (&x)[4], char *tile,
                                                 int row, int step)
{
    const int lane = threadIdx.x % WARP;

    ptx_ldmatrix(x, chunk_at(tile, row + lane % 16, step * 2 + lane / 16));
}

/* s += x k' for 16 keys, rows of the tile from `row` on: eight sums a lane. */
static __device__ __forceinline__ void
add_scores(float *s, const uint32_t (&x)[4], char *tile, int row, int step)
{
    const int lane = threadIdx.x % WARP;
    uint32_t y[4];

    ptx_ldmatrix(y, chunk_at(tile, row + lane / 16 * 8 + lane % 8,
                             step * 2 + lane / 8 % 2));
    ptx_mma_bf16(s, x, y[0], y[1]);
    ptx_mma_bf16(s + 4, x, y[2], y[3]);
}

/* o += p v for 16 keys, rows of the tile from 16 `step` on, and 16 columns of
 * their values from 16 `col` on. */
static __device__ __forceinline__ void
add_values(float *o, const uint32_t (&p)[4], char *tile, int step, int col)
{
    const int lane = threadIdx.x % WARP;
    uint32_t y[4];

    ptx_ldmatrix_turned(
        y, chunk_at(tile, step * ACROSS + lane % 16, col * 2 + lane / 16));
    ptx_mma_bf16(o, p, y[0], y[1]);
    ptx_mma_bf16(o + 4, p, y[2], y[3]);
}

#endif

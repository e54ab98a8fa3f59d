/*
 * kernels/gemm32/along.cuh - what kernels share whose tiles lie in shared
 * memory as they lie in memory: rows that run along k.
 *
 * A row is 32 steps of k, 128 bytes. Its 16-byte chunk q lies at place q ^ (row
 * mod 8), as the TMA swizzles it (tensor_map.cuh). A thread loads a chunk of
 * each of its rows of A and of B, which is four steps of k at once.
 *
 * The rows of a thread are eight apart, so all have the same row mod 8, and its
 * chunks q are at one place of each row. The lanes of a warp have 4 rows of A
 * and 8 of B with different row mod 8: their chunks lie in different banks.
 */
#ifndef KERNELS_GEMM32_ALONG_CUH
#define KERNELS_GEMM32_ALONG_CUH

#include "kernels/gemm32/product.cuh"

enum {
    DEEP = 32,             /* of k in a row of a tile */
    CHUNKS = DEEP / WIDTH, /* of a row */
    ROWS = 8,              /* of A that a thread has */
    APART = 8,             /* rows of a thread, of A and of B */
};

/* Where a thread's first row of A and of B is in a tile. */
struct mine {
    int row, col;
};

/*
 * Two warps below each other have 64 rows, four of each eight. A warp is
 * `wide` columns wide. Bits 1 and 3 of the lane say which row, the others which
 * column, as in gemm32/warps.
 */
static __device__ __forceinline__ mine mine_of(int down, int across, int wide)
{
    const int lane = threadIdx.x % WARP;
    const int y = (lane >> 1 & 1) + (lane >> 2 & 2);
    const int x = (lane & 1) + (lane >> 1 & 2) + (lane >> 2 & 4);

    return {down / 2 * ROWS * APART + down % 2 * 4 + y, across * wide + x};
}

/* Chunk q of row `row` of a tile; the thread's other rows lie behind it, APART
 * * DEEP words from each other. */
static __device__ __forceinline__ const float *chunk(const float *tile, int row,
                                                     int q)
{
    return tile + row * DEEP + (q ^ row % APART) * WIDTH;
}

static __device__ __forceinline__ float4 row_of(const float *chunk, int i)
{
    return *(const float4 *)(chunk + i * APART * DEEP);
}

/* Four steps of k for the outputs of a column. */
template <int COLS>
static __device__ __forceinline__ void
add_column(float (&sum)[ROWS][COLS], int col, const float4 (&u)[ROWS],
           const float4 &v)
{
#pragma unroll
    for (int i = 0; i < ROWS; i++)
        sum[i][col] += u[i].x * v.x;
#pragma unroll
    for (int i = 0; i < ROWS; i++)
        sum[i][col] += u[i].y * v.y;
#pragma unroll
    for (int i = 0; i < ROWS; i++)
        sum[i][col] += u[i].z * v.z;
#pragma unroll
    for (int i = 0; i < ROWS; i++)
        sum[i][col] += u[i].w * v.w;
}

/* All steps of k of a tile of A and one of B. */
template <int COLS>
static __device__ __forceinline__ void
add_tile(float (&sum)[ROWS][COLS], const float *a, const float *b, mine at)
{
    // ANCHOR: inner
#pragma unroll 1
    for (int q = 0; q < CHUNKS; q++) {
        const float *const left = chunk(a, at.row, q);
        const float *const right = chunk(b, at.col, q);
        float4 u[ROWS];

#pragma unroll
        for (int i = 0; i < ROWS; i++)
            u[i] = row_of(left, i);
#pragma unroll
        for (int j = 0; j < COLS; j++)
            add_column(sum, j, u, row_of(right, j));
    }
    // ANCHOR_END: inner
}

/* A thread's outputs to C, whose tile begins at (top, left). */
template <int COLS>
static __device__ __forceinline__ void put_all(const struct product &p, int top,
                                               int left, mine at,
                                               const float (&sum)[ROWS][COLS])
{
#pragma unroll
    for (int i = 0; i < ROWS; i++)
#pragma unroll
        for (int j = 0; j < COLS; j++)
            put(p, top + at.row + i * APART, left + at.col + j * APART,
                sum[i][j]);
}

/* The state of launch(): tensor maps. */
struct maps {
    CUtensorMap a, b;
};

/* Makes tensor maps for tiles of `high` rows of A and `wide` of B. *state is
 * NULL if rows do not start at multiples of 16 bytes. */
static inline const char *maps_open(const struct product *p, int high, int wide,
                                    void **state)
{
    struct maps *m;
    const char *why;

    *state = NULL;
    if (p->k % WIDTH != 0)
        return NULL;
    m = (struct maps *)aligned_alloc(alignof(struct maps), sizeof *m);
    if (m == NULL)
        abort();
    why = tensor_map_make<float>(&m->a, p->a, p->m, p->k, high);
    if (why == NULL)
        why = tensor_map_make<float>(&m->b, p->b, p->n, p->k, wide);
    if (why != NULL) {
        free(m);
        return why;
    }
    *state = m;
    return NULL;
}

#endif

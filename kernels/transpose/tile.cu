/*
 * transpose/tile - turn the tile in shared memory, so that both the read
 * and the write are coalesced.
 *
 * in is rows×cols, out is cols×rows, both row-major: out[c][r] = in[r][c].
 *
 * Back to coalesced reads, as in transpose/naive, but now for both sides.
 * Nothing forces the thread that read an element to be the one that writes it.
 * A block reads a tile of 32×32 row by row into shared memory, waits until all
 * of it is there, and writes the transposed tile row by row: a row of out is a
 * *column* of the tile. Global memory sees whole sectors in both directions;
 * the turn happens inside the SM, where an access does not come in sectors.
 *
 * In shared memory, banks take the place of sectors. It has 32 banks of 4 bytes
 * and gives one word of each bank per cycle. A row of this tile is 128 bytes
 * long (f32): elements of one column lie exactly 32 words apart, all 32 in the
 * *same* bank, and a warp's read down the column takes 32 cycles where a read
 * along a row takes one. For bf16 a row is 64 bytes, the column falls into two
 * banks, and the read takes 16.
 *
 * Predicts: memory traffic is now ideal, so whatever is missing is the fault of
 * the banks: 32 cycles per warp and 128 bytes of output give each SM 4 bytes
 * per cycle, or 132 × 4 × 1.98 GHz = 1.0 TB/s of output, 2.1 TB/s of traffic:
 * 44 % of peak. The same sum for bf16: 16 cycles, 64 bytes, again 44 %.
 */
#include "kernels/kernel.h"

#include <cuda_runtime.h>

enum {
    TILE = 32, /* elements: a warp spans one row of a tile */
    LINES = 8, /* rows a block of 32×8 threads takes at once */
};

template <typename T>
static __global__ void __launch_bounds__(TILE *LINES)
    tile(T *__restrict__ out, const T *__restrict__ in, int rows, int cols)
{
    // ANCHOR: inner
    __shared__ T turn[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * TILE, row = blockIdx.y * TILE; /* the corner */

#pragma unroll
    for (int i = y; i < TILE; i += LINES)
        if (row + i < rows && col + x < cols)
            turn[i][x] = in[(size_t)(row + i) * cols + col + x];
    __syncthreads(); /* a thread writes what others have read */
#pragma unroll
    for (int i = y; i < TILE; i += LINES)
        if (col + i < cols && row + x < rows)
            out[(size_t)(col + i) * rows + row + x] = turn[x][i];
    // ANCHOR_END: inner
}

extern "C" int transpose_tile(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *)
{
    int rows = (int)kernel_num(c, "rows"), cols = (int)kernel_num(c, "cols");
    dim3 grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    dim3 block(TILE, LINES);
    cudaStream_t stream = (cudaStream_t)env->stream;

    if (c->dtype == KERNEL_F32)
        tile<<<grid, block, 0, stream>>>((float *)buf[1], (const float *)buf[0],
                                         rows, cols);
    else
        tile<<<grid, block, 0, stream>>>((uint16_t *)buf[1],
                                         (const uint16_t *)buf[0], rows, cols);
    return cudaGetLastError();
}

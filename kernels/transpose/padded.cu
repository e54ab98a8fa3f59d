/*
 * transpose/padded - one word of padding per row of the tile.
 *
 * in is rows×cols, out is cols×rows, both row-major: out[c][r] = in[r][c].
 *
 * The columns of transpose/tile fell into one bank because a row was as long as
 * the row of banks. Make a row one word longer, 33 words, and the elements of a
 * column lie 33 words apart: each in the bank after the one before, all 32 in
 * different banks. Reading along a row was free of conflicts and stays so. The
 * price is 128 bytes of shared memory.
 *
 * For bf16 one word is two elements and a row is 17 words: 32 rows step
 * through the banks by 17, which is odd, so again no bank comes twice.
 *
 * Predicts: the banks' limit of 44 % is gone. What remains is the bytes in
 * flight. By Little's law a memory of 4.8 TB/s that answers in 0.8 µs must
 * have 3.8 MB in flight, 29 KB for each of 132 SMs. Eight resident blocks, each
 * with four loads of 4 bytes by 256 threads, ask for 32 KB, but only while they
 * read: they wait at the barrier and write for much of their time. So about 70
 * % for f32; with loads of two bytes, half the bytes in flight, hardly over 40
 * % for bf16.
 */
#include "kernels/kernel.h"

#include <cuda_runtime.h>

enum {
    TILE = 32, /* elements: a warp spans one row of a tile */
    LINES = 8, /* rows a block of 32×8 threads takes at once */
};

template <typename T>
static __global__ void __launch_bounds__(TILE *LINES)
    padded(T *__restrict__ out, const T *__restrict__ in, int rows, int cols)
{
    // ANCHOR: inner
    const int PAD = 4 / sizeof(T); /* one bank */
    __shared__ T turn[TILE][TILE + PAD];
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

extern "C" int transpose_padded(const struct kernel_case *c,
                                const struct kernel_env *env, void *const *buf,
                                void *)
{
    int rows = (int)kernel_num(c, "rows"), cols = (int)kernel_num(c, "cols");
    dim3 grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    dim3 block(TILE, LINES);
    cudaStream_t stream = (cudaStream_t)env->stream;

    if (c->dtype == KERNEL_F32)
        padded<<<grid, block, 0, stream>>>((float *)buf[1],
                                           (const float *)buf[0], rows, cols);
    else
        padded<<<grid, block, 0, stream>>>(
            (uint16_t *)buf[1], (const uint16_t *)buf[0], rows, cols);
    return cudaGetLastError();
}

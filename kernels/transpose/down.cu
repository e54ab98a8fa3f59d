/*
 * transpose/down - the tiles go down the columns.
 *
 * in is rows×cols, out is cols×rows, both row-major: out[c][r] = in[r][c].
 *
 * transpose/wide took its tiles along the rows of in, as blockIdx.x counts.
 * Blocks start in the order of their numbers, so at any moment some thousand
 * neighbouring tiles are at work: a band of in a few tiles high and as wide as
 * the matrix. They read long runs of each row, and write a short piece, 256
 * bytes, of each of thousands of rows of out, 64 KB apart at 16384 columns of
 * f32. DRAM keeps few pages open and is fast while it stays in them; every
 * piece of 256 bytes is in another page.
 *
 * If the tiles go down the columns of in instead, the writes come in long runs
 * and the reads in short pieces. The number of both is the same. But scattered
 * writes cost more: the memory bus has to be turned round for them, the L2
 * collects them and writes them back when it must, and the more of them lie in
 * one page, the fewer turns there are.
 *
 * The kernel is transpose/wide with blockIdx.x and blockIdx.y exchanged.
 *
 * Predicts: a few per cent more than transpose/wide, for both types.
 */
#include "kernels/transpose/block.cuh"
#include "kernels/kernel.h"

#include <cuda_runtime.h>

enum { SIDE = 16 /* a block of 16×16 threads, V×V elements each */ };

template <typename T, bool WHOLE>
static __global__ void __launch_bounds__(SIDE *SIDE)
    down(T *__restrict__ out, const T *__restrict__ in, int rows, int cols)
{
    // ANCHOR: inner
    constexpr int V = 16 / sizeof(T), TILE = SIDE * V;
    __shared__ vec turn[TILE][SIDE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.x * TILE, col = blockIdx.y * TILE; /* the corner */
    vec r[V];

    block_load<T, WHOLE>(r, in, row + y * V, col + x * V, rows, cols);
#pragma unroll
    for (int i = 0; i < V; i++)
        turn[x * V + i][y ^ (x & 7)] = block_column<T>(r, i);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < V; i++) {
        int line = y + i * SIDE; /* 16 threads write 256 bytes of a row */
        int to = col + line, at = row + x * V;

        vec_store<T, WHOLE>(out + (size_t)to * rows + at,
                            turn[line][x ^ (line / V & 7)],
                            to < cols ? rows - at : 0);
    }
    // ANCHOR_END: inner
}

template <typename T>
static int launch(const struct kernel_case *c, const struct kernel_env *env,
                  void *const *buf)
{
    int rows = (int)kernel_num(c, "rows"), cols = (int)kernel_num(c, "cols");
    int tile = SIDE * 16 / (int)sizeof(T), v = 16 / (int)sizeof(T);
    dim3 grid((rows + tile - 1) / tile, (cols + tile - 1) / tile);
    dim3 block(SIDE, SIDE);
    cudaStream_t stream = (cudaStream_t)env->stream;
    const T *in = (const T *)buf[0];
    T *out = (T *)buf[1];

    if (rows % v == 0 && cols % v == 0)
        down<T, true><<<grid, block, 0, stream>>>(out, in, rows, cols);
    else
        down<T, false><<<grid, block, 0, stream>>>(out, in, rows, cols);
    return cudaGetLastError();
}

extern "C" int transpose_down(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *)
{
    return c->dtype == KERNEL_F32 ? launch<float>(c, env, buf)
                                  : launch<uint16_t>(c, env, buf);
}

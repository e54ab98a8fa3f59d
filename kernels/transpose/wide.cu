/*
 * transpose/wide - tiles of 256 bytes.
 *
 * in is rows×cols, out is cols×rows, both row-major: out[c][r] = in[r][c].
 *
 * transpose/vector writes 128 bytes to a row of the output before the next row
 * comes, somewhere else. Here the tile is 256 bytes wide on both sides: 64×64
 * elements of f32, 128×128 of bf16, by a block of 256 threads instead of 64.
 * The access of a thread, its registers and the swizzle are vector's.
 *
 * DRAM opens a row of its own to serve an address. The longer the pieces that
 * arrive together, the less often it has to open one.
 *
 * Predicts: over 80 % for both types, which now behave alike: the bytes
 * are the same, and so is the number of instructions that move them.
 */
#include "kernels/transpose/block.cuh"
#include "kernels/kernel.h"

#include <cuda_runtime.h>

enum { SIDE = 16 /* a block of 16×16 threads, V×V elements each */ };

template <typename T, bool WHOLE>
static __global__ void __launch_bounds__(SIDE *SIDE)
    wide(T *__restrict__ out, const T *__restrict__ in, int rows, int cols)
{
    // ANCHOR: inner
    constexpr int V = 16 / sizeof(T), TILE = SIDE * V;
    __shared__ vec turn[TILE][SIDE];
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * TILE, row = blockIdx.y * TILE; /* the corner */
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
    dim3 grid((cols + tile - 1) / tile, (rows + tile - 1) / tile);
    dim3 block(SIDE, SIDE);
    cudaStream_t stream = (cudaStream_t)env->stream;
    const T *in = (const T *)buf[0];
    T *out = (T *)buf[1];

    if (rows % v == 0 && cols % v == 0)
        wide<T, true><<<grid, block, 0, stream>>>(out, in, rows, cols);
    else
        wide<T, false><<<grid, block, 0, stream>>>(out, in, rows, cols);
    return cudaGetLastError();
}

extern "C" int transpose_wide(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *)
{
    return c->dtype == KERNEL_F32 ? launch<float>(c, env, buf)
                                  : launch<uint16_t>(c, env, buf);
}

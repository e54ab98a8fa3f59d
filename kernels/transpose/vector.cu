/*
 * transpose/vector - 16 bytes in every access.
 *
 * in is rows×cols, out is cols×rows, both row-major: out[c][r] = in[r][c].
 *
 * transpose/swizzled has its accesses in order but asks for little at a time.
 * Here every load and store, of global and of shared memory, moves 16 bytes,
 * the most that one instruction can: V = 4 elements of f32 or 8 of bf16. A
 * thread reads V rows of V elements, so V loads of 16 bytes are in flight
 * before the first is needed: 64 bytes a thread for f32 and 128 for bf16, where
 * swizzled had 16 and 8. The tile is still 128 bytes wide, for f32 the same
 * 32×32 elements, so that nothing else changes.
 *
 * A thread's V×V block is turned in its registers (block.cuh): it then
 * holds V rows of the transposed tile, 16 bytes of each, and shared memory
 * needs only to exchange whole blocks between threads.
 *
 * The swizzle permutes chunks of 16 bytes: chunk j of row i lies at place
 * j ^ (i / V mod 8). Eight threads are served at a time; when they write,
 * i / V differs in all eight and j is the same; when they read, i is the same
 * and j differs. Either way the eight chunks lie in eight different groups of
 * four banks, and all 128 bytes move in one cycle.
 *
 * Rows whose length is no multiple of 16 bytes start at odd addresses; the
 * kernel is then compiled without WHOLE and moves element by element, at
 * padded's pace but correctly.
 *
 * Predicts: over 75 % for f32: the bytes in flight are what padded lacked, and
 * most of wide's gain comes from them.
 */
#include "kernels/transpose/block.cuh"
#include "kernels/kernel.h"

#include <cuda_runtime.h>

enum { SIDE = 8 /* a block of 8×8 threads, V×V elements each */ };

template <typename T, bool WHOLE>
static __global__ void __launch_bounds__(SIDE *SIDE)
    vector(T *__restrict__ out, const T *__restrict__ in, int rows, int cols)
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
        int line = y + i * SIDE; /* 8 threads write 128 bytes of a row */
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
        vector<T, true><<<grid, block, 0, stream>>>(out, in, rows, cols);
    else
        vector<T, false><<<grid, block, 0, stream>>>(out, in, rows, cols);
    return cudaGetLastError();
}

extern "C" int transpose_vector(const struct kernel_case *c,
                                const struct kernel_env *env, void *const *buf,
                                void *)
{
    return c->dtype == KERNEL_F32 ? launch<float>(c, env, buf)
                                  : launch<uint16_t>(c, env, buf);
}

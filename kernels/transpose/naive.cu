/*
 * transpose/naive - one element after the other, straight across.
 *
 * in is rows×cols, out is cols×rows, both row-major: out[c][r] = in[r][c].
 *
 * A thread reads an element and writes it where it belongs. The 32 threads of a
 * warp take 32 neighbours of a row, so a read touches one piece of 32 elements:
 * 128 bytes for f32, four 32-byte sectors, every byte of them used. That is
 * what is meant by a coalesced access.
 *
 * The write is not coalesced: those 32 elements belong to 32 different rows of
 * out. Each lies in its own sector, so a warp's store of 128 bytes becomes 32
 * stores of one sector each, of which 4 bytes (2 for bf16) are new. L1 does not
 * collect them, it passes writes through. L2 does: it keeps the sector until
 * the seven other warps that own the rest of it (15 for bf16) have come by. So
 * memory sees whole sectors in the end, but eight (sixteen) times as many
 * requests as the bytes need have to pass through L2, each to change one eighth
 * (sixteenth) of a sector.
 *
 * The walk of a block over a tile of 32×32 in four steps of eight rows is
 * not needed yet. It is here because the next files keep it: so that they
 * differ from this one in one thing only.
 *
 * Predicts: what the textbooks have, a quarter of peak for f32; half of
 * that for bf16, where the same number of requests carries half the bytes.
 */
#include "kernels/kernel.h"

#include <cuda_runtime.h>

enum {
    TILE = 32, /* elements: a warp spans one row of a tile */
    LINES = 8, /* rows a block of 32×8 threads takes at once */
};

template <typename T>
static __global__ void __launch_bounds__(TILE *LINES)
    naive(T *__restrict__ out, const T *__restrict__ in, int rows, int cols)
{
    // ANCHOR: inner
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;

#pragma unroll
    for (int i = 0; i < TILE; i += LINES)
        if (row + i < rows && col < cols)
            out[(size_t)col * rows + row + i] =
                in[(size_t)(row + i) * cols + col];
    // ANCHOR_END: inner
}

extern "C" int transpose_naive(const struct kernel_case *c,
                               const struct kernel_env *env, void *const *buf,
                               void *)
{
    int rows = (int)kernel_num(c, "rows"), cols = (int)kernel_num(c, "cols");
    dim3 grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    dim3 block(TILE, LINES);
    cudaStream_t stream = (cudaStream_t)env->stream;

    if (c->dtype == KERNEL_F32)
        naive<<<grid, block, 0, stream>>>((float *)buf[1],
                                          (const float *)buf[0], rows, cols);
    else
        naive<<<grid, block, 0, stream>>>((uint16_t *)buf[1],
                                          (const uint16_t *)buf[0], rows, cols);
    return cudaGetLastError();
}

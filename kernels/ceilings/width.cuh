/*
 * kernels/ceilings/width.cuh - the same two tiles over and over, with wgmma of
 * N columns: ceilings/width_shared and width_registers.
 *
 * A block is a warp group, and two of them are on an SM, as in our fastest
 * products. It has 128 bytes along k of each operand, which are four
 * instructions, and in the bits that toggle no two neighbours are alike. A sum
 * goes through them four times, and then the next one begins. Its sixteen
 * instructions are a group, and the tensor cores get the next group before they
 * have done this one. So they need not wait for its start.
 *
 * A tile makes the same number of columns whatever N is, so all cases do the
 * same FLOPs. What is left of them is the last sum of each tile.
 */
#ifndef KERNELS_CEILINGS_WIDTH_CUH
#define KERNELS_CEILINGS_WIDTH_CUH

#include "kernels/ceilings/wgmma_n.cuh"
#include "kernels/ceilings/width.h"
#include "kernels/prefill/wgmma.cuh"
#include "kernels/warp.h"

enum {
    WIDTH_PER_SM = 2,   /* warp groups */
    WIDTH_PIECES = 4,   /* instructions that go once along k */
    WIDTH_ALIGN = 1024, /* of a tile that wgmma reads */
    WIDTH_CHUNK = 16,   /* bytes that a thread puts there at a time */
    WIDTH_CHUNKS = WIDTH_ROW / WIDTH_CHUNK,
};

/* A case's arguments. `again` is 0, whether a sum goes on with the one before;
 * the compiler must not know it, or it could drop sums that the next one
 * replaces. */
struct width {
    float *d;
    const char *a, *b;
    int sums, again;
};

/* ---- operands ---- */

static __device__ __forceinline__ char *width_aligned(char *raw)
{
    return raw + (-ptx_smem(raw) & (WIDTH_ALIGN - 1));
}

/* Puts rows of 128 bytes where the TMA would: chunk j of row i at place
 * j ^ (i mod 8). */
template <int ROWS>
static __device__ __forceinline__ void width_place(char *to, const char *from)
{
    for (int i = threadIdx.x; i < ROWS * WIDTH_CHUNKS; i += WGMMA_GROUP) {
        const int row = i / WIDTH_CHUNKS, place = (i ^ row) % WIDTH_CHUNKS;

        *(uint4 *)(to + row * WIDTH_ROW + place * WIDTH_CHUNK) =
            ((const uint4 *)from)[i];
    }
}

/* A thread's share of 64 rows: wgmma_n.cuh says which bytes. */
static __device__ __forceinline__ void
width_hold(uint32_t (&a)[WIDTH_PIECES][4], const char *from)
{
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const int row = 16 * warp + lane / 4;

#pragma unroll
    for (int j = 0; j < WIDTH_PIECES; j++)
#pragma unroll
        for (int r = 0; r < 4; r++)
            a[j][r] =
                ((const uint32_t *)from)[(row + r % 2 * 8) * (WIDTH_ROW / 4) +
                                         j * 8 + r / 2 * 4 + lane % 4];
    wgmma_ready(a);
}

/* The block's tile of an operand with so many rows. */
static __device__ __forceinline__ const char *width_tile(const char *x,
                                                         int rows)
{
    return x + (size_t)blockIdx.x * rows * WIDTH_ROW;
}

/* ---- products ---- */

/* a[j] is piece j of A, a descriptor or registers. */
// ANCHOR: inner
template <class FORMAT, int SUMS, class PIECE>
static __device__ __forceinline__ void
width_multiply(float (&d)[SUMS], const PIECE (&a)[WIDTH_PIECES], uint64_t b,
               const struct width &p)
{
    for (int i = 0; i < p.sums; i++) {
        wgmma_begin();
#pragma unroll
        for (int j = 0; j < WIDTH_TIMES * WIDTH_PIECES; j++)
            FORMAT::multiply(d, a[j % WIDTH_PIECES],
                             wgmma_along(b, j % WIDTH_PIECES),
                             j > 0 ? 1 : p.again);
        wgmma_commit();
        wgmma_wait<1>(); /* the group before has ended */
    }
    wgmma_wait<0>();
}
// ANCHOR_END: inner

/* The block's tile of the output. */
template <int SUMS>
static __device__ __forceinline__ void width_put(float *d,
                                                 const float (&sum)[SUMS])
{
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    float *const to = d + (size_t)blockIdx.x * WIDTH_HIGH * 2 * SUMS;

#pragma unroll
    for (int r = 0; r < SUMS; r += 2) {
        const int row = warp * 16 + lane / 4 + r / 2 % 2 * 8;
        const int col = r / 4 * 8 + lane % 4 * 2;

        *(float2 *)(to + row * 2 * SUMS + col) =
            make_float2(sum[r], sum[r + 1]);
    }
}

/* ---- the host's side ---- */

/* START<FORMAT, N>::launch(p, blocks, stream) for the case's N. */
template <template <class, int> class START, class FORMAT>
static inline int width_start(int n, const struct width &p, unsigned blocks,
                              cudaStream_t s)
{
    switch (n) {
    case 8:
        return START<FORMAT, 8>::launch(p, blocks, s);
    case 16:
        return START<FORMAT, 16>::launch(p, blocks, s);
    case 32:
        return START<FORMAT, 32>::launch(p, blocks, s);
    case 64:
        return START<FORMAT, 64>::launch(p, blocks, s);
    case 128:
        return START<FORMAT, 128>::launch(p, blocks, s);
    case 192:
        return START<FORMAT, 192>::launch(p, blocks, s);
    case 256:
        return START<FORMAT, 256>::launch(p, blocks, s);
    }
    return cudaErrorInvalidValue;
}

/* The same for its format, too. */
template <template <class, int> class START>
static inline int width_launch(const struct kernel_case *c,
                               const struct kernel_env *env, void *const *buf)
{
    const struct width p = {(float *)buf[0], (const char *)buf[1],
                            (const char *)buf[2], width_sums(c), 0};
    const int n = (int)kernel_num(c, "n");
    const unsigned blocks = (unsigned)kernel_num(c, "tiles");
    const cudaStream_t s = (cudaStream_t)env->stream;

    return c->dtype == KERNEL_E4M3
               ? width_start<START, wgmma_n_e4m3>(n, p, blocks, s)
               : width_start<START, wgmma_n_bf16>(n, p, blocks, s);
}

#endif

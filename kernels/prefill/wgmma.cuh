/*
 * kernels/prefill/wgmma.cuh - products of kernels/wgmma.cuh whose left operand
 * is in registers, and whose right one lies the other way round.
 *
 * Values are a tile of keys by elements of a head, and the sum runs over keys.
 * So elements that follow each other in shared memory are columns of the right
 * operand, not steps of the sum: the operand is *MN-major*, and the instruction
 * turns it. Its tile is made of panels of 64 elements, 128 bytes, as the TMA
 * leaves them: a row for each key, swizzled.
 */
#ifndef KERNELS_PREFILL_WGMMA_CUH
#define KERNELS_PREFILL_WGMMA_CUH

#include "kernels/wgmma.cuh"

/*
 * The descriptor of 16 keys of such a tile, from the key at `p` on, a multiple
 * of 1024 bytes. Bits 16-29: the distance of panels. Bits 32-45: that of groups
 * of eight keys, 8 x 128 bytes. Both in units of 16 bytes.
 * [asynchronous warpgroup level matrix instructions: strides]
 */
PTX_FN uint64_t wgmma_values(const void *p, int panel_bytes)
{
    return (uint64_t)(ptx_smem(p) >> 4 & 0x3fff) |
           (uint64_t)(panel_bytes >> 4) << 16 | (uint64_t)(1024 >> 4) << 32 |
           (uint64_t)1 << 62;
}

/* The same for keys that are `step` products further along. */
PTX_FN uint64_t wgmma_values_along(uint64_t tile, int step)
{
    return tile + (uint64_t)(step * WGMMA_DEEP * 128 >> 4);
}

/* `a` is the number of the first of four registers; b and keep follow. */
#define WGMMA_HELD(shape, sums, a, b, keep)                                \
    "{\n.reg .pred p;\nsetp.ne.b32 p, %" keep ", 0;\n"                     \
    "wgmma.mma_async.sync.aligned." shape ".f32.bf16.bf16 {" sums "}, {" a \
    "}, %" b ", p, 1, 1, 1;\n}"

/*
 * Starts d += P V for 64 x 16 of P and 16 x N of V; N is twice the length of d.
 * Lane 4g + t of warp w holds, as pairs of neighbours in k:
 *   a[0] row 16w + g, k 2t       a[1] row 16w + g + 8, k 2t
 *   a[2] row 16w + g, k 2t + 8   a[3] row 16w + g + 8, k 2t + 8
 * Nobody may touch them before wgmma_wait().
 */
PTX_FN void wgmma_held(float (&d)[32], const uint32_t (&a)[4], uint64_t b)
{
    asm volatile(
        WGMMA_HELD("m64n64k16", WGMMA_TO_32, "%32, %33, %34, %35", "36", "37")
        : WGMMA_32(0)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(1));
}

PTX_FN void wgmma_held(float (&d)[64], const uint32_t (&a)[4], uint64_t b)
{
    asm volatile(WGMMA_HELD("m64n128k16", WGMMA_TO_32 WGMMA_TO_64,
                            "%64, %65, %66, %67", "68", "69")
                 : WGMMA_32(0), WGMMA_32(32)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(1));
}

/* The compiler may read and write these from here on, and no earlier: it does
 * not know that wgmma_wait() has to do with them. */
PTX_FN void wgmma_landed(float (&d)[32])
{
    asm volatile("" : WGMMA_32(0)::"memory");
}

PTX_FN void wgmma_landed(float (&d)[64])
{
    asm volatile("" : WGMMA_32(0), WGMMA_32(32)::"memory");
}

/* The compiler has these ready from here on: otherwise it would compute some of
 * them behind wgmma_begin(). */
template <int S> PTX_FN void wgmma_ready(float (&d)[S])
{
    wgmma_landed(d);
}

template <int N> PTX_FN void wgmma_ready(uint32_t (&a)[N][4])
{
#pragma unroll
    for (int i = 0; i < N; i++)
        asm volatile(""
                     : "+r"(a[i][0]), "+r"(a[i][1]), "+r"(a[i][2]),
                       "+r"(a[i][3])::"memory");
}

#endif

/*
 * kernels/prefill/fp8.cuh - products in FP8, and what turns a tile of
 * values.
 *
 * In FP8 the right operand of a product must have its sums' direction side by
 * side (K-major): a row for each element of a head, with all keys of the tile.
 * The TMA brings a row for each key. ldmatrix turns elements of 16 bits, which
 * are two neighbours of a row here; so bytes of two keys change places.
 *
 * The sums lie as those of wgmma_bf16() do, and have fewer bits
 * (kernels/gemm8/wgmma.cuh).
 */
#ifndef KERNELS_PREFILL_FP8_CUH
#define KERNELS_PREFILL_FP8_CUH

#include "kernels/epilogue/convert.cuh"
#include "kernels/prefill/ptx.cuh"
#include "kernels/prefill/sums.cuh"

enum { FP8_DEEP = 32 /* elements along k in a product */ };

/* `a`, `b`, `keep` are the numbers of these operands, behind the sums. */
#define WGMMA_FP8(shape, sums, a, b, keep)                                \
    "{\n.reg .pred p;\nsetp.ne.b32 p, %" keep ", 0;\n"                    \
    "wgmma.mma_async.sync.aligned." shape ".f32.e4m3.e4m3 {" sums "}, " a \
    ", %" b ", p, 1, 1;\n}"

/* Starts d = A B, or d += A B if `keep`, for 64 x 32 of A and 32 x N of B; N is
 * twice the length of d. */
PTX_FN void wgmma_fp8(float (&d)[64], uint64_t a, uint64_t b, int keep)
{
    asm volatile(
        WGMMA_FP8("m64n128k32", WGMMA_TO_32 WGMMA_TO_64, "%64", "65", "66")
        : WGMMA_32(0), WGMMA_32(32)
        : "l"(a), "l"(b), "r"(keep));
}

PTX_FN void wgmma_fp8(float (&d)[96], uint64_t a, uint64_t b, int keep)
{
    asm volatile(WGMMA_FP8("m64n192k32", WGMMA_TO_96, "%96", "97", "98")
                 : WGMMA_32(0), WGMMA_32(32), WGMMA_32(64)
                 : "l"(a), "l"(b), "r"(keep));
}

/*
 * Starts d += P V for 64 x 32 of P and 32 x 128 of V. Lane 4g + t of warp w
 * holds, four neighbours in k each:
 *   a[0] row 16w + g, k 4t        a[1] row 16w + g + 8, k 4t
 *   a[2] row 16w + g, k 4t + 16   a[3] row 16w + g + 8, k 4t + 16
 * Nobody may touch them before wgmma_wait().
 */
PTX_FN void wgmma_fp8_held(float (&d)[64], const uint32_t (&a)[4], uint64_t b)
{
    asm volatile(WGMMA_FP8("m64n128k32", WGMMA_TO_32 WGMMA_TO_64,
                           "{%64, %65, %66, %67}", "68", "69")
                 : WGMMA_32(0), WGMMA_32(32)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(1));
}

/* Four bytes of a and b; `which` says which, 0 to 7, from its last digit on. */
PTX_FN uint32_t bytes_of(uint32_t a, uint32_t b, uint32_t which)
{
    return __byte_perm(a, b, which);
}

/* Four e4m3 side by side. */
PTX_FN uint32_t e4m3_four(float a, float b, float c, float d)
{
    return (uint32_t)e4m3_pair(a, b) | (uint32_t)e4m3_pair(c, d) << 16;
}

#endif

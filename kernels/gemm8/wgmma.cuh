/*
 * kernels/gemm8/wgmma.cuh - the products of kernels/wgmma.cuh in FP8.
 *
 * A product goes 32 bytes along k, as in bf16; here that is 32 elements. So
 * rows of tiles, their swizzle and their descriptors stay what they are, and
 * wgmma_along() goes a product further here, too. The sums lie as those of
 * wgmma_bf16() do.
 *
 * They are kept with fewer bits. An instruction aligns 32 products and the old
 * sum to the largest of them, and drops what lies below 2^-13 of it
 * (kernels/product.h).
 */
#ifndef KERNELS_GEMM8_WGMMA_CUH
#define KERNELS_GEMM8_WGMMA_CUH

#include "kernels/wgmma.cuh"

/* `a`, `b`, `keep` are the numbers of these operands, behind the sums. */
#define WGMMA_E4M3(shape, sums, a, b, keep)                                \
    "{\n.reg .pred p;\nsetp.ne.b32 p, %" keep ", 0;\n"                     \
    "wgmma.mma_async.sync.aligned." shape ".f32.e4m3.e4m3 {" sums "}, %" a \
    ", %" b ", p, 1, 1;\n}"

#define WGMMA_TO_96                                             \
    ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, " \
    "%75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "   \
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95"

/* Starts d = A B, or d += A B if `keep`, for 64 x 32 of A and 32 x N of B; N
 * is twice the length of d. */
PTX_FN void wgmma_e4m3(float (&d)[64], uint64_t a, uint64_t b, int keep)
{
    asm volatile(
        WGMMA_E4M3("m64n128k32", WGMMA_TO_32 WGMMA_TO_64, "64", "65", "66")
        : WGMMA_32(0), WGMMA_32(32)
        : "l"(a), "l"(b), "r"(keep));
}

PTX_FN void wgmma_e4m3(float (&d)[96], uint64_t a, uint64_t b, int keep)
{
    asm volatile(WGMMA_E4M3("m64n192k32", WGMMA_TO_32 WGMMA_TO_64 WGMMA_TO_96,
                            "96", "97", "98")
                 : WGMMA_32(0), WGMMA_32(32), WGMMA_32(64)
                 : "l"(a), "l"(b), "r"(keep));
}

PTX_FN void wgmma_e4m3(float (&d)[128], uint64_t a, uint64_t b, int keep)
{
    asm volatile(WGMMA_E4M3("m64n256k32", WGMMA_TO_32 WGMMA_TO_64 WGMMA_TO_128,
                            "128", "129", "130")
                 : WGMMA_32(0), WGMMA_32(32), WGMMA_32(64), WGMMA_32(96)
                 : "l"(a), "l"(b), "r"(keep));
}

/* The compiler may read these sums from here on, and no earlier: it does not
 * know that wgmma_wait() has to do with them. */
PTX_FN void wgmma_landed(float (&d)[64])
{
    asm volatile("" : WGMMA_32(0), WGMMA_32(32)::"memory");
}
PTX_FN void wgmma_landed(float (&d)[96])
{
    asm volatile("" : WGMMA_32(0), WGMMA_32(32), WGMMA_32(64)::"memory");
}

#endif

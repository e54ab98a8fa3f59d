/*
 * kernels/gemmtf32/wgmma.cuh - the products of kernels/wgmma.cuh and
 * kernels/ptx.cuh in tf32.
 *
 * A product goes 32 bytes along k, as in bf16; here that is 8 elements. So rows
 * of tiles, their swizzle and their descriptors stay what they are, and
 * wgmma_along() goes a product further here, too. The sums lie as those of
 * wgmma_bf16() do.
 *
 * An element is an f32 of which the tensor cores leave out the 13 low bits: it
 * is cut towards zero, not rounded. PTX leaves that to the implementation. The
 * checks of this family with accuracy=f32 would fail if it were otherwise.
 */
#ifndef KERNELS_GEMMTF32_WGMMA_CUH
#define KERNELS_GEMMTF32_WGMMA_CUH

#include "kernels/wgmma.cuh"

enum { WGMMA_TF32_DEEP = 8 /* elements along k in a product */ };

/* `keep` is the number of this operand, behind the sums; `ab` are A and B. */
#define WGMMA_TF32(shape, sums, ab, keep)                                  \
    "{\n.reg .pred p;\nsetp.ne.b32 p, %" keep ", 0;\n"                     \
    "wgmma.mma_async.sync.aligned." shape ".f32.tf32.tf32 {" sums "}, " ab \
    ", p, 1, 1;\n}"

/* Starts d = A B, or d += A B if `keep`, for 64 x 8 of A and 8 x N of B; N is
 * twice the length of d. */
PTX_FN void wgmma_tf32(float (&d)[64], uint64_t a, uint64_t b, int keep)
{
    asm volatile(
        WGMMA_TF32("m64n128k8", WGMMA_TO_32 WGMMA_TO_64, "%64, %65", "66")
        : WGMMA_32(0), WGMMA_32(32)
        : "l"(a), "l"(b), "r"(keep));
}

PTX_FN void wgmma_tf32(float (&d)[128], uint64_t a, uint64_t b, int keep)
{
    asm volatile(WGMMA_TF32("m64n256k8", WGMMA_TO_32 WGMMA_TO_64 WGMMA_TO_128,
                            "%128, %129", "130")
                 : WGMMA_32(0), WGMMA_32(32), WGMMA_32(64), WGMMA_32(96)
                 : "l"(a), "l"(b), "r"(keep));
}

/*
 * The same with A in registers, which nobody may touch before wgmma_wait().
 * Lane 4g + t of warp w holds
 *   a[0] row 16w + g,     k t    a[2] row 16w + g,     k t + 4
 *   a[1] row 16w + g + 8, k t    a[3] row 16w + g + 8, k t + 4
 */
PTX_FN void wgmma_tf32(float (&d)[64], const uint32_t (&a)[4], uint64_t b,
                       int keep)
{
    asm volatile(WGMMA_TF32("m64n128k8", WGMMA_TO_32 WGMMA_TO_64,
                            "{%64, %65, %66, %67}, %68", "69")
                 : WGMMA_32(0), WGMMA_32(32)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b),
                   "r"(keep));
}

/* The compiler has these registers of A ready from here on: otherwise it would
 * compute some of them between products. */
PTX_FN void wgmma_ready(uint32_t (&a)[4])
{
    asm volatile("" : "+r"(a[0]), "+r"(a[1]), "+r"(a[2]), "+r"(a[3])::"memory");
}

/* The compiler may read these sums from here on, and no earlier: it does not
 * know that wgmma_wait() has to do with them. */
PTX_FN void wgmma_landed(float (&d)[64])
{
    asm volatile("" : WGMMA_32(0), WGMMA_32(32)::"memory");
}

/*
 * d += a b for a 16×8 of a and an 8×8 of b, tf32, sums in f32; all 32 lanes
 * together. Lane 4g + t holds a[] as above with w = 0, and
 *   b0 k t, column g    b1 k t + 4, column g
 *   d[0], d[1] row g, columns 2t and 2t+1;  d[2], d[3] the same in row g+8
 */
PTX_FN void ptx_mma_tf32(float d[4], const uint32_t a[4], uint32_t b0,
                         uint32_t b1)
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"
                 " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9},"
                 " {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0),
                   "r"(b1));
}

#endif

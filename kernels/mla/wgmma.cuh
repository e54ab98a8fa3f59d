/*
 * kernels/mla/wgmma.cuh - the product of kernels/prefill/wgmma.cuh with 256
 * columns of values: weights from registers, and values turned.
 */
#ifndef KERNELS_MLA_WGMMA_CUH
#define KERNELS_MLA_WGMMA_CUH

#include "kernels/prefill/wgmma.cuh"

PTX_FN void wgmma_held(float (&d)[128], const uint32_t (&a)[4], uint64_t b)
{
    asm volatile(WGMMA_HELD("m64n256k16", WGMMA_TO_32 WGMMA_TO_64 WGMMA_TO_128,
                            "%128, %129, %130, %131", "132", "133")
                 : WGMMA_32(0), WGMMA_32(32), WGMMA_32(64), WGMMA_32(96)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(1));
}

PTX_FN void wgmma_landed(float (&d)[128])
{
    asm volatile(""
                 : WGMMA_32(0), WGMMA_32(32), WGMMA_32(64),
                   WGMMA_32(96)::"memory");
}

PTX_FN void wgmma_ready(float (&d)[128])
{
    wgmma_landed(d);
}

#endif

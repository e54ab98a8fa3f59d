/*
 * kernels/decode/ptx.cuh - what kernels/ptx.cuh does not have: a matrix turned
 * in registers, and FP16, which holds every number of e4m3.
 */
#ifndef KERNELS_DECODE_PTX_CUH
#define KERNELS_DECODE_PTX_CUH

#include "kernels/ptx.cuh"

/*
 * Turns an 8x8 matrix of 16-bit elements: lane 4g + t has elements 2t and 2t+1
 * of row g, and gets those of column g. All 32 lanes together.
 * [warp level matrix instructions: movmatrix]
 */
PTX_FN uint32_t ptx_turn(uint32_t pair)
{
    uint32_t turned;

    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;"
                 : "=r"(turned)
                 : "r"(pair));
    return turned;
}

/* ---- FP16 [data type conversion: cvt; warp level matrix instructions] ---- */

/* Two e4m3 in the lower half of a word as a pair of f16; exact. */
PTX_FN uint32_t ptx_f16_of_e4m3(uint32_t two)
{
    uint32_t pair;

    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(pair) : "h"((uint16_t)two));
    return pair;
}

/* Two floats as a word of f16, rounded to nearest. */
PTX_FN uint32_t ptx_f16_pair(float first, float second)
{
    uint32_t word;

    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(second), "f"(first));
    return word;
}

/* ptx_mma_bf16() with f16 in place of bf16. */
PTX_FN void ptx_mma_f16(float d[4], const uint32_t a[4], uint32_t b0,
                        uint32_t b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
                 " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9},"
                 " {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0),
                   "r"(b1));
}

/* Bytes 0, 2, 1 and 3 of a word. [prmt] */
PTX_FN uint32_t ptx_swap_middle(uint32_t word)
{
    return __byte_perm(word, 0, 0x3120);
}

#endif

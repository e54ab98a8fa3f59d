/*
 * kernels/decode/ptx.cuh - a matrix turned in registers, which kernels/ptx.cuh
 * does not have.
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

#endif

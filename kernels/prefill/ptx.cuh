/*
 * kernels/prefill/ptx.cuh - a load that turns matrices, which kernels/ptx.cuh
 * does not have.
 */
#ifndef KERNELS_PREFILL_PTX_CUH
#define KERNELS_PREFILL_PTX_CUH

#include "kernels/ptx.cuh"

/*
 * Loads four 8x8 matrices of 16-bit elements and turns them. Lane 8i + j names
 * row j of matrix i, 16 bytes in shared memory; lane 4g + t gets in r[i] the
 * elements g of rows 2t and 2t+1. All 32 lanes together. [ldmatrix .trans]
 */
PTX_FN void ptx_ldmatrix_turned(uint32_t r[4], const void *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"
                 " {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(ptx_smem(row))
                 : "memory");
}

#endif

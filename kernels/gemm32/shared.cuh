/*
 * kernels/gemm32/shared.cuh - loads from shared memory by address.
 *
 * A pointer is 64 bits, and the compiler computes each as a base and an index.
 * An address in shared memory is 32 bits, and a chunk of a swizzled row is one
 * exclusive or away from another: one instruction in place of three.
 */
#ifndef KERNELS_GEMM32_SHARED_CUH
#define KERNELS_GEMM32_SHARED_CUH

#include "kernels/ptx.cuh"

/* Four floats at ptx_smem() address `at`, a multiple of 16. Loads keep their
 * order, also with barriers. */
PTX_FN float4 shared_four(uint32_t at)
{
    float4 v;

    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "r"(at)
                 : "memory");
    return v;
}

#endif

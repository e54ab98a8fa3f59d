/*
 * kernels/bf16.h - bf16 is the upper half of an f32: the same sign and
 * exponent, 8 bits of precision in place of 24. For host and device.
 */
#ifndef KERNELS_BF16_H
#define KERNELS_BF16_H

#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#define BF16_FN static __host__ __device__ __forceinline__
#else
#define BF16_FN static inline
#endif

BF16_FN float bf16_from_bits(uint32_t bits)
{
    float f;

    memcpy(&f, &bits, sizeof f);
    return f;
}

/* One bf16 as f32; exact. */
BF16_FN float bf16_value(uint16_t h)
{
    return bf16_from_bits((uint32_t)h << 16);
}

/* The first and the second of a pair that lies in one word. */
BF16_FN float bf16_first(uint32_t pair)
{
    return bf16_from_bits(pair << 16);
}

BF16_FN float bf16_second(uint32_t pair)
{
    return bf16_from_bits(pair & 0xffff0000u);
}

/*
 * Rounds to nearest, ties to even. A NaN stays one: the GPU's is all ones
 * below the sign, and rounding up would carry it over into -0.
 */
BF16_FN uint16_t bf16_round(float f)
{
#ifdef __CUDA_ARCH__
    uint16_t h;

    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(h) : "f"(f));
    return h;
#else
    uint32_t bits;

    memcpy(&bits, &f, sizeof bits);
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return 0x7fff;
    return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
#endif
}

#ifdef __CUDACC__
/* Two floats as a word of bf16, rounded to nearest; NaN stays NaN. */
static __device__ __forceinline__ uint32_t bf16_pair(float first, float second)
{
    uint32_t word;

    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(second), "f"(first));
    return word;
}
#endif

#endif

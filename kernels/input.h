/*
 * kernels/input.h - the inputs of every case: a pure function of
 * (seed, buffer, index), so host reference and device fill agree without a
 * copy.
 *
 * Values are uniform in [-1, 1) on a grid that both element types hold
 * exactly: multiples of 2^-23 for f32 and of 2^-7 for bf16. Zero has no
 * special weight. The hash is the finaliser of SplitMix64 (Steele, Lea and
 * Flood, OOPSLA 2014, doi 10.1145/2660193.2660195).
 */
#ifndef KERNELS_INPUT_H
#define KERNELS_INPUT_H

#include "kernels/kernel.h"

#ifdef __CUDACC__
#define INPUT_FN static __host__ __device__ inline
#else
#define INPUT_FN static inline
#endif

/* 64 random bits of element `i` of buffer number `buffer`. */
INPUT_FN uint64_t input_bits(uint64_t seed, unsigned buffer, size_t i)
{
    uint64_t z = seed + 0x9e3779b97f4a7c15ull * (i + 1) +
                 0xd1b54a32d192ed03ull * (buffer + 1);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

/* Element `i` as f32: a multiple of 2^-23 in [-1, 1). */
INPUT_FN float input_f32(uint64_t seed, unsigned buffer, size_t i)
{
    return (float)((int32_t)(input_bits(seed, buffer, i) >> 40) - (1 << 23)) *
           (1.0f / (1 << 23));
}

/* Element `i` as the f32 value of a bf16: a multiple of 2^-7 in [-1, 1). */
INPUT_FN float input_bf16(uint64_t seed, unsigned buffer, size_t i)
{
    return (float)((int32_t)(input_bits(seed, buffer, i) >> 56) - 128) *
           (1.0f / 128);
}

/* Element `i` of a buffer of type t. */
INPUT_FN float input_value(enum kernel_dtype t, uint64_t seed, unsigned buffer,
                           size_t i)
{
    return t == KERNEL_BF16 ? input_bf16(seed, buffer, i)
                            : input_f32(seed, buffer, i);
}

#endif

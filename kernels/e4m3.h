/*
 * kernels/e4m3.h - FP8 E4M3 in integers, host and device: 4 bits of exponent
 * with a bias of 7, 3 of mantissa, no infinities; NaN is all ones but the sign
 * (OCP 8-bit floating point specification 1.0). The largest number is 448.
 */
#ifndef KERNELS_E4M3_H
#define KERNELS_E4M3_H

#include <math.h>
#include <stdint.h>

#ifdef __CUDACC__
#define E4M3_FN static __host__ __device__ inline
#else
#define E4M3_FN static inline
#endif

enum {
    E4M3_NAN = 0x7f,
    E4M3_MOST = 448,
    E4M3_LEAST = -9, /* the smallest number above zero is 2 to this power */
};

E4M3_FN double e4m3_value(unsigned bits)
{
    const int exponent = (int)(bits >> 3 & 15), mantissa = (int)(bits & 7);
    const double size = exponent ? ldexp(8.0 + mantissa, exponent - 10)
                                 : ldexp((double)mantissa, E4M3_LEAST);

    if ((bits & E4M3_NAN) == E4M3_NAN)
        return (double)NAN;
    return bits & 0x80 ? -size : size;
}

/* v / 2^shift, rounded to nearest and ties to even; shift from 0 to 63. */
E4M3_FN uint64_t e4m3_round(uint64_t v, int shift)
{
    const uint64_t half = shift ? 1ull << (shift - 1) : 0;
    const uint64_t rest = v & ((1ull << shift) - 1), whole = v >> shift;

    return whole + (rest > half || (shift && rest == half && (whole & 1)));
}

/*
 * The number nearest to v 2^unit; ties to even, and 448 for all beyond it.
 * `unit` is from -54 to E4M3_LEAST: v counts at least the smallest number.
 */
E4M3_FN unsigned e4m3_nearest(int64_t v, int unit)
{
    const uint64_t size = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    int shift = E4M3_LEAST - unit, exponent = 0;
    uint64_t kept;
    unsigned bits;

    while (shift < 63 && size >> shift >> 4) {
        shift++;
        exponent++;
    }
    /* Below 2^-6 all numbers are multiples of the smallest. From there on a
       number has four bits, whose first is not stored. */
    kept = e4m3_round(size, shift);
    bits = (unsigned)(exponent * 8) + (unsigned)kept;
    bits = bits > E4M3_NAN - 1 ? E4M3_NAN - 1 : bits;
    return v < 0 ? bits | 0x80 : bits;
}

#endif

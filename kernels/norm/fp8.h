/*
 * kernels/norm/fp8.h - rounding to e4m3 on the CPU (OCP 8-bit floating point
 * specification 1.0): a sign, 4 bits of exponent with bias 7, 3 of mantissa.
 */
#ifndef KERNELS_NORM_FP8_H
#define KERNELS_NORM_FP8_H

#include <stdint.h>
#include <string.h>

/*
 * Rounds to nearest, ties to even; values beyond 448 become 448. Not for NaN.
 * Below 2^-6 the values are multiples of 2^-9: adding 2^14, whose last bit is
 * worth that much, rounds to one of them.
 */
static inline uint8_t fp8_round(float f)
{
    uint32_t bits, sign;

    memcpy(&bits, &f, sizeof bits);
    sign = bits >> 24 & 0x80;
    bits &= 0x7fffffff;
    memcpy(&f, &bits, sizeof f);
    if (f >= 448)
        return (uint8_t)(sign | 0x7e);
    if (f < 0x1p-6f) {
        f += 0x1p14f;
        memcpy(&bits, &f, sizeof bits);
        return (uint8_t)(sign | (bits & 0x0f));
    }
    bits += 0x7ffff + (bits >> 20 & 1); /* 20 of 23 bits of mantissa go */
    return (uint8_t)(sign | ((bits >> 20) - ((127 - 7) << 3)));
}

#endif

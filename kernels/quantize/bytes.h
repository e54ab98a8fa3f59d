/*
 * kernels/quantize/bytes.h - E4M3 and INT8 on the host, for the C variants.
 */
#ifndef KERNELS_QUANTIZE_BYTES_H
#define KERNELS_QUANTIZE_BYTES_H

#include <stdint.h>
#include <string.h>

/* 1.5 2^23: added to an f32 below 2^22 in magnitude it leaves an integer,
 * rounded to nearest, ties to even, in the low bits. */
#define BYTES_MAGIC 12582912.0f

static inline uint32_t bytes_bits(float v)
{
    uint32_t bits;

    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static inline uint8_t bytes_i8(float v)
{
    return (uint8_t)bytes_bits(v + BYTES_MAGIC);
}

/*
 * |v| up to 464 as E4M3, to nearest, ties to even. From 2^-6 on, the exponent
 * is moved to its new bias and the mantissa rounded by an addition to its bits,
 * which carries into the exponent as it should. Below, a number is a multiple
 * of 2^-9: the same trick as above, 2^14 having 2^-9 as its last place.
 */
static inline uint8_t bytes_e4m3(float v)
{
    const uint32_t bits = bytes_bits(v), size = bits & 0x7fffffffu;
    const float magnitude = v < 0 ? -v : v;
    const uint32_t normal =
        (size - (120u << 23) + 0x7ffff + (size >> 20 & 1)) >> 20;
    const uint32_t small = bytes_bits(magnitude + 0x1p14f) & 0xff;

    return (uint8_t)((bits >> 24 & 0x80) |
                     (magnitude < 0x1p-6f ? small : normal));
}

#endif

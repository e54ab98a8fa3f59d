/*
 * kernels/histogram/histogram.h - what all variants of `histogram` agree on.
 *
 * Buffers: 0: counts[bins] (out, i32)   1: keys[n] (i32 or u8, each below
 * bins)   2: scratch, where a variant has it
 */
#ifndef KERNELS_HISTOGRAM_HISTOGRAM_H
#define KERNELS_HISTOGRAM_HISTOGRAM_H

#include "kernels/kernel.h"

enum {
    HISTOGRAM_MAX_BINS = 1 << 16,
    HISTOGRAM_BYTE_BINS = 256, /* of u8 */
};

/* n / size, rounded up. */
static inline size_t histogram_pieces(size_t n, size_t size)
{
    return (n + size - 1) / size;
}

static inline size_t histogram_min(size_t a, size_t b)
{
    return a < b ? a : b;
}

#endif

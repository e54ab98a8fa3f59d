/*
 * kernels/scan/scan.h - what all variants of `scan` agree on.
 *
 * Buffers: 0: y[n] (out)   1: x[n]   2: scratch, where a variant has it
 *
 *   y[i] = x[0] + ... + x[i-1],  y[0] = 0
 */
#ifndef KERNELS_SCAN_SCAN_H
#define KERNELS_SCAN_SCAN_H

#include "kernels/kernel.h"

/* n / size, rounded up. */
static inline size_t scan_pieces(size_t n, size_t size)
{
    return (n + size - 1) / size;
}

static inline size_t scan_min(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline size_t scan_length(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "n");
}

#endif

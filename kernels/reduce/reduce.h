/*
 * kernels/reduce/reduce.h - what all variants of `reduce` agree on.
 *
 * Buffers: 0: sum[1] (out)   1: x[n]   2: scratch, where a variant has it
 */
#ifndef KERNELS_REDUCE_REDUCE_H
#define KERNELS_REDUCE_REDUCE_H

#include "kernels/kernel.h"

/* n / size, rounded up. */
static inline size_t reduce_pieces(size_t n, size_t size)
{
    return (n + size - 1) / size;
}

static inline size_t reduce_min(size_t a, size_t b)
{
    return a < b ? a : b;
}

#endif

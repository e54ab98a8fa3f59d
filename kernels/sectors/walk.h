/*
 * kernels/sectors/walk.h - for the C variants: which element a read is.
 */
#ifndef KERNELS_SECTORS_WALK_H
#define KERNELS_SECTORS_WALK_H

#include "kernels/sectors/sectors.h"

struct walk {
    enum sectors_pattern pattern;
    size_t step;
    int bits; /* log2 of the pieces of the table */
};

static inline struct walk walk_of(const struct kernel_case *c)
{
    const struct walk w = {sectors_pattern_of(c), (size_t)kernel_num(c, "step"),
                           sectors_bits(c)};

    return w;
}

/* The number of the k'th read of sum t. */
static inline size_t walk_read(const struct walk *w, size_t t, size_t k)
{
    if (w->pattern == SECTORS_RECORD)
        return t * SECTORS_READS + k;
    return t / WARP * SECTORS_WARP_READS + k * WARP + t % WARP;
}

/* The element that read number i is. */
static inline size_t walk_element(const struct walk *w, size_t i)
{
    const uint32_t mask = (uint32_t)(1ull << w->bits) - 1;
    uint32_t p;

    switch (w->pattern) {
    case SECTORS_STRIDE:
        return i * w->step;
    case SECTORS_SHIFT:
        return i + w->step;
    case SECTORS_RECORD:
        return i;
    case SECTORS_RANDOM:
        break;
    }
    p = (uint32_t)(i / w->step);
    p ^= p >> (w->bits / 2);
    p = p * SECTORS_FACTOR & mask;
    p ^= p >> (w->bits / 2);
    return (size_t)p * w->step + i % w->step;
}

#endif

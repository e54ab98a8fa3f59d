/*
 * kernels/atomics/atomics.h - what all variants of `atomics` agree on.
 *
 * n additions: each of e = n / ATOMICS_TIMES elements (rounded up) is added
 * ATOMICS_TIMES times, or once less. Addition j takes x[j mod e] and goes to
 * place j mod m, which is sums[(j mod m) * gap]. Thread i does the additions
 * i, i + e, i + 2e, ... with x[i] in a register, so that next to nothing is
 * read and neighbouring lanes go to neighbouring places.
 *
 * Buffers: 0: sums[m * gap] (out, i32 or f32)   1: x[e] (i32, or bf16 for f32:
 * with 8 bits in an element no sum is ever rounded, in whichever order)
 */
#ifndef KERNELS_ATOMICS_ATOMICS_H
#define KERNELS_ATOMICS_ATOMICS_H

#include <string.h>

#include "kernels/kernel.h"

enum {
    ATOMICS_TIMES = 64, /* additions of one element */
};

struct atomics_shape {
    size_t n, elements, places, gap;
};

/* n / size, rounded up. */
static inline size_t atomics_pieces(size_t n, size_t size)
{
    return (n + size - 1) / size;
}

static inline struct atomics_shape atomics_shape(const struct kernel_case *c)
{
    const size_t n = (size_t)kernel_num(c, "n");
    struct atomics_shape s;

    s.n = n;
    s.elements = atomics_pieces(n, ATOMICS_TIMES);
    s.places = (size_t)kernel_num(c, "m");
    s.gap = (size_t)kernel_num(c, "gap");
    return s;
}

/* The f32 that a bf16 stands for, on the host. */
static inline float atomics_widen(uint16_t bf16)
{
    const uint32_t bits = (uint32_t)bf16 << 16;
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif

/* kernels/ceilings/sweep.h - what the memory sweep's variants share. */
#ifndef KERNELS_CEILINGS_SWEEP_H
#define KERNELS_CEILINGS_SWEEP_H

#include "kernels/kernel.h"

enum memory_op { MEMORY_READ, MEMORY_WRITE, MEMORY_COPY, MEMORY_TRIAD };

static const float MEMORY_SCALE = 0.5f; /* triad: a = b + s c, exact */

/* The operation of a case, by the first letter of its word. */
static inline enum memory_op memory_op_of(const struct kernel_case *c)
{
    switch (kernel_word(c, "op")[0]) {
    case 'r':
        return MEMORY_READ;
    case 'w':
        return MEMORY_WRITE;
    case 'c':
        return MEMORY_COPY;
    default:
        return MEMORY_TRIAD;
    }
}

/* Where the sum of a read comes together. Zero between launches. */
struct memory_scratch {
    float sum;
    unsigned done; /* blocks that have added theirs */
};

#endif

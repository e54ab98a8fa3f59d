/*
 * kernels/made.h - inputs that a family makes itself: where each group of rows
 * begins, say. They belong to the case and are the same for all seeds, so host
 * and device know them, and a library may be told them before its call.
 *
 * The runner uploads them, and compares them after calls as it does all inputs.
 */
#ifndef KERNELS_MADE_H
#define KERNELS_MADE_H

#include "kernels/kernel.h"

enum { KERNEL_MADE_MOST = 1 << 20 /* elements */ };

/*
 * An input of the `count` elements at `is`, which last as long as the process.
 * Their address stands in `range`: references that records name know how large
 * a struct kernel_buffer is, so it has no member for them.
 */
static inline struct kernel_buffer kernel_made(const char *name,
                                               const int32_t *is, size_t count)
{
    const struct kernel_buffer b = {name,  KERNEL_IN,   KERNEL_I32,
                                    count, KERNEL_MADE, (int64_t)(intptr_t)is,
                                    0};

    return b;
}

/* Its elements; NULL if the input is drawn. */
static inline const int32_t *kernel_made_is(const struct kernel_buffer *b)
{
    return b->draw == KERNEL_MADE ? (const int32_t *)(intptr_t)b->range : NULL;
}

#endif

/* kernels/ceilings/width.h - sizes of products by width, host and device. */
#ifndef KERNELS_CEILINGS_WIDTH_H
#define KERNELS_CEILINGS_WIDTH_H

#include "kernels/kernel.h"

enum {
    WIDTH_HIGH = 64, /* rows of A in a product, whatever its width */
    WIDTH_ROW = 128, /* bytes along k of a row of A or a column of B */
    WIDTH_TIMES = 4, /* how often a sum goes through these */
};

/* The sums that a tile makes anew, one after the other, n columns each. */
static inline int width_sums(const struct kernel_case *c)
{
    return (int)(kernel_num(c, "columns") / kernel_num(c, "n"));
}

#endif

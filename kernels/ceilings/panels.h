/* kernels/ceilings/panels.h - sizes of the fed products, host and device. */
#ifndef KERNELS_CEILINGS_PANELS_H
#define KERNELS_CEILINGS_PANELS_H

#include "kernels/kernel.h"

enum {
    FED_HIGH = 128,  /* rows of A that a block multiplies */
    FED_WIDE = 256,  /* rows of B, which the blocks of a group share */
    FED_PANEL = 128, /* bytes of a row that are fetched at a time */
    FED_SLOTS = 4,   /* panels that a block has room for */
};

/* Panels along k. */
static inline int fed_panels(const struct kernel_case *c)
{
    const int64_t bytes = c->dtype == KERNEL_E4M3 ? 1 : 2;

    return (int)(kernel_num(c, "k") * bytes / FED_PANEL);
}

#endif

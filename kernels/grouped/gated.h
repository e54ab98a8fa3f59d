/*
 * kernels/grouped/gated.h - SwiGLU behind the products of experts: its
 * reference.
 *
 * A layer whose name ends with "swiglu" multiplies by gates and ups, n columns
 * in all, and C has n/2: silu(gate) up. Gates and ups take turns, GATED_RUN
 * columns each, as in kernels/epilogue/epilogue.h.
 */
#ifndef KERNELS_GROUPED_GATED_H
#define KERNELS_GROUPED_GATED_H

#include <stddef.h>

#include "kernels/kernel.h"

enum { GATED_RUN = 8 /* columns of gates in a row, and of ups */ };

bool gated_is(const struct kernel_case *c);

/* The column of the product that is the gate of output i, of all columns of all
 * rows in a row; that of its up is GATED_RUN further. */
static inline size_t gated_gate(size_t i)
{
    return i / GATED_RUN * 2 * GATED_RUN + i % GATED_RUN;
}

/* A sum, and how far off a right kernel may be there, with a rounding to bf16.
 */
struct gated_sum {
    double v, off;
};

/* The output of both: its value, and the magnitude that gated_tolerance()
 * refers to. */
void gated_output(struct gated_sum gate, struct gated_sum up, double *value,
                  double *magnitude);

double gated_tolerance(const char **why);

#endif

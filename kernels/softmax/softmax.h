/*
 * kernels/softmax/softmax.h - what all variants of `softmax` agree on.
 *
 * y[r][i] = exp(s x[r][i]) / (exp(s x[r][0]) + ... + exp(s x[r][cols-1])),
 * row-major, x and y both bf16 or both f32, arithmetic in f32 at least.
 * Buffers: 0: x   1: y   2: scratch, where a variant has it.
 *
 * The scale s is 1 in all that is measured, and a run-time argument all the
 * same; checks use 256 of it, so that a kernel that forgets to subtract the
 * maximum overflows.
 *
 * Special values: -infinity counts for nothing; a row with a NaN or +infinity,
 * or of -infinity alone, is all NaN.
 */
#ifndef KERNELS_SOFTMAX_SOFTMAX_H
#define KERNELS_SOFTMAX_SOFTMAX_H

#include "kernels/kernel.h"

#include <string.h>

#ifdef __CUDACC__
#define SOFTMAX_FN static inline __host__
#else
#define SOFTMAX_FN static inline
#endif

enum { SOFTMAX_X, SOFTMAX_Y, SOFTMAX_SCRATCH };

SOFTMAX_FN int softmax_rows(const struct kernel_case *c)
{
    return (int)kernel_num(c, "rows");
}

SOFTMAX_FN int softmax_cols(const struct kernel_case *c)
{
    return (int)kernel_num(c, "cols");
}

/* Only cases of checks have a scale. */
SOFTMAX_FN double softmax_scale(const struct kernel_case *c)
{
    for (int i = 0; i < c->nparams; i++)
        if (strcmp(c->param[i].name, "scale") == 0)
            return (double)c->param[i].num;
    return 1;
}

/* All rows start at multiples of 16 bytes. */
SOFTMAX_FN bool softmax_whole(const struct kernel_case *c)
{
    return softmax_cols(c) * kernel_dtype_bytes(c->dtype) % 16 == 0;
}

#endif

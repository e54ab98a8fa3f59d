/*
 * kernels/allreduce/allreduce.h - the parameters of an all-reduce: every GPU
 * has a vector x, and gets the sum of all.
 *
 *   gpus    that take part, 2 to 4
 *   bytes   of a vector of bf16
 *
 * Sums are in f32, in the order of the GPUs, and rounded once; allreduce/ring
 * and a library round after each addition. All GPUs get the same bits.
 */
#ifndef KERNELS_ALLREDUCE_ALLREDUCE_H
#define KERNELS_ALLREDUCE_ALLREDUCE_H

#include "kernels/kernel.h"

/* Buffers of a GPU. */
enum { ALLREDUCE_X, ALLREDUCE_SUM, ALLREDUCE_SCRATCH };

enum { ALLREDUCE_MOST = 4 }; /* GPUs */

/* Numbers of a vector. */
static inline size_t allreduce_count(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "bytes") / 2;
}

#endif

/*
 * kernels/overlap/overlap.h - the parameters of a layer that is cut across
 * GPUs: a matrix product with communication behind or before it.
 *
 *   layer   down: each GPU has a part of k, so its product is one term of a
 *           sum of matrices. Each GPU gets m / gpus rows of that sum
 *           (reduce-scatter).
 *           gate_up: each GPU has m / gpus rows of A, and multiplies all m of
 *           them by its own columns (all-gather)
 *   gpus    that take part, 2 to 4; a divisor of m
 *   m, n, k of the product that one GPU makes, C[i][j] = Σ_k A[i][k] B[j][k]
 *
 * Products are rounded to bf16 before they cross NVLink. Their sum is in f32,
 * in the order of the GPUs, and rounded once; a library rounds after each
 * addition.
 */
#ifndef KERNELS_OVERLAP_OVERLAP_H
#define KERNELS_OVERLAP_OVERLAP_H

#include <string.h>

#include "kernels/kernel.h"

/* Buffers of a GPU. */
enum { OVERLAP_A, OVERLAP_B, OVERLAP_C, OVERLAP_SCRATCH };

enum { OVERLAP_MOST = 4 }; /* GPUs */

static inline bool overlap_is_down(const struct kernel_case *c)
{
    return strcmp(kernel_word(c, "layer"), "down") == 0;
}

/* Rows of A, or of the sum, that each GPU has. */
static inline int overlap_share(const struct kernel_case *c)
{
    return (int)kernel_num(c, "m") / kernel_gpus(c);
}

#endif

/*
 * kernels/allnorm/allnorm.h - the parameters of an all-reduce with what follows
 * it in a transformer: residual and RMSNorm.
 *
 *   gpus     that take part, 2 to 4
 *   tokens   rows
 *   hidden   columns: a multiple of 8, at most 8192
 *
 * Every GPU has a part x of the rows. All have the same residual r and the same
 * weights w, and all get the same bits of
 *
 *   h = x of GPU 0 + x of GPU 1 + ... + r, rounded
 *   y = h / sqrt(E h^2 + eps) w
 *
 * with E the mean over a row. Sums are in f32, in the order of the GPUs. Who
 * adds r in another kernel rounds twice, and a library rounds after each
 * addition.
 *
 * r and w are made by the family (kernels/made.h), since a drawn input differs
 * from GPU to GPU. Two numbers of bf16 lie in one element.
 */
#ifndef KERNELS_ALLNORM_ALLNORM_H
#define KERNELS_ALLNORM_ALLNORM_H

#include "kernels/kernel.h"

#define ALLNORM_EPS 1e-5f

/* Buffers of a GPU. */
enum { ALLNORM_X, ALLNORM_W, ALLNORM_R, ALLNORM_H, ALLNORM_Y, ALLNORM_SCRATCH };

enum { ALLNORM_MOST = 8192 /* columns */ };

static inline int allnorm_tokens(const struct kernel_case *c)
{
    return (int)kernel_num(c, "tokens");
}

static inline int allnorm_hidden(const struct kernel_case *c)
{
    return (int)kernel_num(c, "hidden");
}

/* Numbers of a matrix. */
static inline size_t allnorm_count(const struct kernel_case *c)
{
    return (size_t)allnorm_tokens(c) * (size_t)allnorm_hidden(c);
}

#endif

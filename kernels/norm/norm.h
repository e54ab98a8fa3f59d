/*
 * kernels/norm/norm.h - what all variants of `norm` agree on.
 *
 * Rows of bf16, arithmetic in f32 at least. With E the mean over a row:
 *
 *   layernorm         y = (x - E x) / sqrt(E (x - E x)^2 + eps) w + b
 *   rmsnorm           y = x / sqrt(E x^2 + eps) w
 *   rmsnorm_residual  h = x + r, rounded;  y = rmsnorm of h
 *   rmsnorm_fp8       the same, and y leaves as e4m3: scale = max |y| / 448
 *                     of the row, q = y / scale; a row of zeros has scale 1
 *
 * w and b have an element for each column. 448 is the greatest e4m3.
 * Buffers: 0: x   1: w   2: b or r, if there is one   then the outputs
 * y | h, y | h, q, scale   then scratch, where a variant has it.
 */
#ifndef KERNELS_NORM_NORM_H
#define KERNELS_NORM_NORM_H

#include "kernels/kernel.h"

#include <string.h>

#define NORM_EPS 1e-5f

enum { NORM_FP8_MAX = 448 };

enum norm_op {
    NORM_LAYER,
    NORM_RMS,
    NORM_RESIDUAL,
    NORM_FP8,
};

enum { NORM_X, NORM_W, NORM_OTHER };

/* A case's arguments; what it does not have is NULL. */
struct norm_task {
    const uint16_t *x, *w, *bias, *residual;
    uint16_t *h, *y;
    uint8_t *q;
    float *scale;
    void *scratch;
    int rows, cols;
};

static inline enum norm_op norm_op_of(const struct kernel_case *c)
{
    const char *op = kernel_word(c, "op");

    return strcmp(op, "layernorm") == 0          ? NORM_LAYER
           : strcmp(op, "rmsnorm") == 0          ? NORM_RMS
           : strcmp(op, "rmsnorm_residual") == 0 ? NORM_RESIDUAL
                                                 : NORM_FP8;
}

static inline int norm_rows(const struct kernel_case *c)
{
    return (int)kernel_num(c, "rows");
}

static inline int norm_cols(const struct kernel_case *c)
{
    return (int)kernel_num(c, "cols");
}

/* All rows start at multiples of 16 bytes. */
static inline bool norm_whole(const struct kernel_case *c)
{
    return norm_cols(c) % 8 == 0;
}

static inline struct norm_task norm_task_of(const struct kernel_case *c,
                                            void *const *buf)
{
    const enum norm_op op = norm_op_of(c);
    void *const *out = buf + (op == NORM_RMS ? NORM_OTHER : NORM_OTHER + 1);
    struct norm_task t;

    memset(&t, 0, sizeof t);
    t.rows = norm_rows(c);
    t.cols = norm_cols(c);
    t.x = (const uint16_t *)buf[NORM_X];
    t.w = (const uint16_t *)buf[NORM_W];
    if (op == NORM_LAYER)
        t.bias = (const uint16_t *)buf[NORM_OTHER];
    if (op == NORM_RESIDUAL || op == NORM_FP8) {
        t.residual = (const uint16_t *)buf[NORM_OTHER];
        t.h = (uint16_t *)*out++;
    }
    if (op == NORM_FP8) {
        t.q = (uint8_t *)*out++;
        t.scale = (float *)*out++;
    } else {
        t.y = (uint16_t *)*out++;
    }
    t.scratch = *out;
    return t;
}

#endif

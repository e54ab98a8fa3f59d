/*
 * kernels/decode/reference.h - outputs of a row in fp64 on the host, and how
 * far rounding may move them. kernels/decode/family.c derives that at
 * tolerance().
 */
#ifndef KERNELS_DECODE_REFERENCE_H
#define KERNELS_DECODE_REFERENCE_H

#include "kernels/decode/scales.h"

static const double DECODE_ROUNDING = 0x1p-8; /* to bf16, which has 8 bits */

/* A row: a head of queries of a sequence. Its keys' weights, where keys and
 * values begin, and what these are multiplied by; the largest product of sizes
 * |q| |k|, scale included, and the greatest weight. */
struct decode_row {
    double *p;
    size_t *at;
    float (*by)[2]; /* scales of a key and its value */
    int keys;
    double most, top;
};

/* Room for any row of the case. The caller closes it. */
struct decode_row decode_row_open(const struct kernel_case *c);
void decode_row_close(struct decode_row *r);

/* Makes the weights of row n: the softmax of its scores. */
void decode_weigh(const struct kernel_case *c, uint64_t seed, size_t n,
                  struct decode_row *r);

/* Element e of its output, and the magnitude that tolerance() is a share of. */
void decode_output(const struct kernel_case *c, uint64_t seed,
                   const struct decode_row *r, size_t e, double *value,
                   double *magnitude);

#endif

/*
 * kernels/quantize/quantize.h - what all variants of `quantize` agree on.
 *
 * x is rows × cols of bf16. The elements that share a scale are a *group*: all
 * of it (scale=tensor), a row, or 128 neighbours of a row. For each group
 *
 *     a = max |x|,  scale = a / top,  q = round(x top / a),
 *
 * top the largest number of the format: 448 for E4M3, 127 for INT8, which
 * leaves out -128 so that both signs reach as far. A group of zeros has scale
 * 1. Rounding is to nearest, ties to even. Buffers:
 *   0: x    1: q (out)    2: scales (out), f32, one for each group
 */
#ifndef KERNELS_QUANTIZE_QUANTIZE_H
#define KERNELS_QUANTIZE_QUANTIZE_H

#include "kernels/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { QUANTIZE_X, QUANTIZE_Q, QUANTIZE_SCALES, QUANTIZE_SCRATCH };

enum { QUANTIZE_GROUP = 128 };

enum quantize_scale {
    QUANTIZE_TENSOR,
    QUANTIZE_ROW,
    QUANTIZE_GROUP128,
};

/* The scale and the format of a case. */
enum quantize_scale quantize_scale_of(const struct kernel_case *c);
bool quantize_is_fp8(const struct kernel_case *c);

/* Elements in a group, and all of them. */
size_t quantize_group(const struct kernel_case *c);
size_t quantize_elements(const struct kernel_case *c);

#ifdef __cplusplus
}
#endif
#endif

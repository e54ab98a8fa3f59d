/*
 * kernels/prefill/prefill.h - the parameters of a case of attention.
 *
 *   heads  of queries; kv: heads of keys and values, of which each serves
 *          heads / kv neighbouring heads of queries
 *   l      tokens; d: elements of a head, 64 or 128
 *   mask   "full", or "causal": query i sees keys 0 to i
 *   sharp  standard deviation of scores, if keys and queries are uniform
 *
 * There is no batch: two prompts of a batch are twice as many heads.
 *
 * In FP8, Q, K and V are e4m3, and values have a scale for each head of keys.
 * Those of Q and K are part of the factor before the softmax.
 */
#ifndef KERNELS_PREFILL_PREFILL_H
#define KERNELS_PREFILL_PREFILL_H

#include <math.h>
#include <string.h>

#include "kernels/kernel.h"

enum { PREFILL_Q, PREFILL_K, PREFILL_V, PREFILL_O }; /* buffer numbers */
enum { PREFILL_SCALES = PREFILL_O + 1 };             /* and in FP8 */

static inline int prefill_num(const struct kernel_case *c, const char *name)
{
    return (int)kernel_num(c, name);
}

static inline bool prefill_causal(const struct kernel_case *c)
{
    return strcmp(kernel_word(c, "mask"), "causal") == 0;
}

/*
 * What a product of query and key is multiplied by before the softmax. Uniform
 * elements have a variance of 1/3, so a product of d of them has d/9: this
 * makes it sharp^2. With elements of variance 1 and sharp = 1 it would be the
 * usual 1 / sqrt(d).
 */
static inline float prefill_scale(const struct kernel_case *c)
{
    return (float)(3 * (double)kernel_num(c, "sharp") /
                   sqrt((double)kernel_num(c, "d")));
}

#endif

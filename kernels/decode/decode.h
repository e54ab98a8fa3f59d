/*
 * kernels/decode/decode.h - the parameters of a case of attention of one new
 * token for each sequence of a batch, over the keys that came before.
 *
 *   b       sequences
 *   heads   of queries; kv: heads of keys and values, of which each serves
 *           heads / kv neighbouring heads of queries
 *   l       keys of a sequence, or the most of them
 *   layout  "flat": all sequences have l keys, which lie one after the other;
 *           "page64", "page16": they lie in pages of so many, wherever;
 *           "ragged", "ragged64", "ragged16": the same, with 1 to l keys
 *   sharp   standard deviation of scores, if keys and queries are uniform
 *
 * A head has 128 elements. What lies where: kernels/cache.h.
 */
#ifndef KERNELS_DECODE_DECODE_H
#define KERNELS_DECODE_DECODE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cache.h"

enum { /* buffer numbers; WHERE: lengths, and behind them pages of sequences */
       DECODE_Q,
       DECODE_K = CACHE_KEYS,
       DECODE_V,
       DECODE_O,
       DECODE_WHERE,
       DECODE_SCRATCH,
};

static inline int decode_num(const struct kernel_case *c, const char *name)
{
    return (int)kernel_num(c, name);
}

static inline struct cache_shape decode_shape(const struct kernel_case *c)
{
    const char *const layout = kernel_word(c, "layout");
    const char *const digits = strpbrk(layout, "0123456789");
    const struct cache_shape s = {decode_num(c, "b"),
                                  decode_num(c, "heads"),
                                  decode_num(c, "kv"),
                                  decode_num(c, "l"),
                                  digits ? atoi(digits) : 0,
                                  strncmp(layout, "ragged", 6) == 0,
                                  c->dtype};

    return s;
}

/* Numbers of DECODE_WHERE. */
static inline size_t decode_marks(const struct cache_shape *s)
{
    return (size_t)s->b * (size_t)(s->page ? 1 + cache_room(s) : 1);
}

/*
 * What a product of query and key is multiplied by before the softmax. Uniform
 * elements have a variance of 1/3, so a product of 128 of them has 128/9: this
 * makes it sharp^2.
 */
static inline float decode_scale(const struct kernel_case *c)
{
    return (float)(3 * (double)kernel_num(c, "sharp") /
                   sqrt((double)CACHE_DEEP));
}

#endif

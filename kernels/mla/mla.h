/*
 * kernels/mla/mla.h - the parameters of a case of absorbed multi-head latent
 * attention, one new token for each sequence of a batch.
 *
 *   b       sequences
 *   heads   of queries; all of them share the one row of each key
 *   l       keys of a sequence, or the most of them
 *   layout  "flat": all sequences have l keys, which lie one after the other;
 *           "page64": they lie in pages of 64, wherever;
 *           "ragged", "ragged64": the same, with 1 to l keys
 *   sharp   standard deviation of scores, if keys and queries are uniform
 *
 * A key has 576 elements, of which the first 512 are its value, too. What lies
 * where: kernels/mla/latent.h. Everything is bf16.
 */
#ifndef KERNELS_MLA_MLA_H
#define KERNELS_MLA_MLA_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/mla/latent.h"

enum { /* buffer numbers; WHERE: lengths, and behind them pages of sequences */
       MLA_Q,
       MLA_KEYS = CACHE_KEYS,
       MLA_O,
       MLA_WHERE,
       MLA_SCRATCH,
};

static inline int mla_num(const struct kernel_case *c, const char *name)
{
    return (int)kernel_num(c, name);
}

static inline struct cache_shape mla_shape(const struct kernel_case *c)
{
    const char *const layout = kernel_word(c, "layout");
    const char *const digits = strpbrk(layout, "0123456789");
    const struct cache_shape s = {mla_num(c, "b"),
                                  mla_num(c, "heads"),
                                  1,
                                  mla_num(c, "l"),
                                  digits ? atoi(digits) : 0,
                                  strncmp(layout, "ragged", 6) == 0,
                                  KERNEL_BF16};

    return s;
}

/* Numbers of MLA_WHERE. */
static inline size_t mla_marks(const struct cache_shape *s)
{
    return (size_t)s->b * (size_t)(s->page ? 1 + cache_room(s) : 1);
}

/*
 * What a product of query and key is multiplied by before the softmax. Uniform
 * elements have a variance of 1/3, so a product of 576 of them has 64: this
 * makes it sharp^2.
 */
static inline float mla_scale(const struct kernel_case *c)
{
    return (float)kernel_num(c, "sharp") / 8;
}

#endif

/*
 * kernels/verify/verify.h - the parameters of a case of attention of a draft:
 * the newest tokens of each sequence of a batch, which speculative decoding
 * has guessed and now verifies, all at once.
 *
 *   b       sequences
 *   heads   of queries; kv: heads of keys and values, of which each serves
 *           heads / kv neighbouring heads of queries
 *   l       keys of a sequence, those of its new tokens among them
 *   tokens  new tokens of a sequence, 1 to 8: the last keys are theirs
 *   mask    "chain": a token sees all keys up to its own;
 *           "tree": the old keys, its own and its ancestors'. The parent of
 *           token t is (t - 1) / 2 in sequences of even number, which makes
 *           a binary tree, and (t - 1) / 3 in the others;
 *           "ragged": such trees, and sequences have 1 to l keys
 *
 * Queries lie in memory as b x kv x tokens x heads/kv x 128 elements: all that
 * read the same keys lie together, token by token. So do outputs. For inputs
 * that is a cache of kernels/cache.h with `tokens` times as many heads: three
 * of four queries are the mean of two keys, and often one of these is the last
 * key, which only the last token may see.
 */
#ifndef KERNELS_VERIFY_VERIFY_H
#define KERNELS_VERIFY_VERIFY_H

#include <math.h>
#include <string.h>

#include "kernels/cache.h"

enum { /* buffer numbers; WHERE: lengths, and behind them what tokens see */
       VERIFY_Q,
       VERIFY_K = CACHE_KEYS,
       VERIFY_V,
       VERIFY_O,
       VERIFY_WHERE,
       VERIFY_SCRATCH,
};

enum { VERIFY_TOKENS = 8, VERIFY_SHARP = 4 /* see verify_scale() */ };

static inline int verify_num(const struct kernel_case *c, const char *name)
{
    return (int)kernel_num(c, name);
}

/* The cache, and a head for each head of each new token. */
static inline struct cache_shape verify_shape(const struct kernel_case *c)
{
    const char *const mask = kernel_word(c, "mask");
    const struct cache_shape s = {verify_num(c, "b"),
                                  verify_num(c, "heads") *
                                      verify_num(c, "tokens"),
                                  verify_num(c, "kv"),
                                  verify_num(c, "l"),
                                  0,
                                  strcmp(mask, "ragged") == 0,
                                  KERNEL_BF16};

    return s;
}

/* Numbers of VERIFY_WHERE. */
static inline size_t verify_marks(const struct kernel_case *c)
{
    return (size_t)verify_num(c, "b") * (size_t)(1 + verify_num(c, "tokens"));
}

/* Which new tokens are new token t and its ancestors: bit i is token i. */
static inline uint32_t verify_ancestors(bool chain, int sequence, int t)
{
    const int children = 2 + sequence % 2;
    uint32_t seen = 1u << t;

    for (; t > 0; seen |= 1u << t)
        t = chain ? t - 1 : (t - 1) / children;
    return seen;
}

/* The same as a kernel is told: which of the last `tokens` keys token t sees. A
 * sequence may have fewer keys; then each token sees the last one at least. */
static inline uint32_t verify_sees(const struct kernel_case *c, int sequence,
                                   int t)
{
    const struct cache_shape s = verify_shape(c);
    const int tokens = verify_num(c, "tokens");
    const bool chain = strcmp(kernel_word(c, "mask"), "chain") == 0;
    const uint32_t seen = verify_ancestors(chain, sequence, t);
    const int absent = tokens - cache_length(&s, sequence);

    if (absent > 0 && seen >> absent == 0)
        return seen | 1u << (tokens - 1);
    return seen;
}

/*
 * What a product of query and key is multiplied by before the softmax. Uniform
 * elements have a variance of 1/3, so a product of 128 of them has 128/9: this
 * makes the standard deviation of scores VERIFY_SHARP.
 */
static inline float verify_scale(void)
{
    return (float)(3 * VERIFY_SHARP / sqrt((double)CACHE_DEEP));
}

#endif

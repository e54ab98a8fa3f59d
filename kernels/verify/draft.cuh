/*
 * kernels/verify/draft.cuh - a case's arguments, and what a row of queries
 * sees.
 *
 * o = softmax(scale q K') V for each head of each new token, over the keys that
 * the token sees.
 *
 * To the kernels of kernels/decode a draft is a token with more heads: all
 * queries of a group of heads and of all tokens read the same keys, and lie
 * together. Only the last keys are not seen by all of them.
 */
#ifndef KERNELS_VERIFY_DRAFT_CUH
#define KERNELS_VERIFY_DRAFT_CUH

#include "kernels/decode/splits.cuh"
#include "kernels/verify/verify.h"

struct draft {
    struct attention a; /* with a head for each head of each token */
    int tokens;
};

static inline struct draft draft_of(const struct kernel_case *c,
                                    void *const *buf)
{
    const struct cache_shape s = verify_shape(c);
    const struct attention a = {(uint16_t *)buf[VERIFY_O],
                                (const uint16_t *)buf[VERIFY_Q],
                                (const uint16_t *)buf[VERIFY_K],
                                (const uint16_t *)buf[VERIFY_V],
                                (const int32_t *)buf[VERIFY_WHERE],
                                s.b,
                                s.heads,
                                s.kv,
                                s.l,
                                s.l,
                                1,
                                verify_scale() * 1.44269504f};

    return {a, verify_num(c, "tokens")};
}

/* The same without buffers, for sizes of scratch memory. */
static inline struct draft draft_sizes(const struct kernel_case *c)
{
    void *const none[VERIFY_SCRATCH] = {};

    return draft_of(c, none);
}

// ANCHOR: sees
/* Which of the last keys query number i of a row sees: bit n is the key of new
 * token n. Rows that are nobody's see none. */
static __device__ __forceinline__ uint32_t sees(const draft &d,
                                                const struct row &r, int i)
{
    const int group = d.a.heads / d.a.kv; /* queries of all tokens */
    const int token = (r.first + i - r.head * group) * d.tokens / group;

    return i < r.heads ? d.a.where[d.a.b + r.sequence * d.tokens + token] : 0;
}

/* May it be seen? `key` counts from the first key of a new token on: keys
 * before it are seen by all, and keys behind the last one by nobody. */
static __device__ __forceinline__ bool is_seen(uint32_t bits, int key)
{
    return key < 0 || (key < VERIFY_TOKENS && (bits >> key & 1));
}
// ANCHOR_END: sees

#endif

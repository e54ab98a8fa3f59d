/*
 * kernels/query.h - queries of attention, drawn so that single keys matter.
 *
 * If queries and keys are drawn independently, thousands of keys get nearly the
 * same weight. A kernel may then lose one and stay within its tolerance. So
 * every other query is the mean of two keys, which is closer to both than
 * anything that is drawn. These two keys get most of its weight. Which ones:
 * often the last that the query may see, the first that it may not, or one at
 * the edge of 64 keys, where kernels make mistakes.
 *
 * The keys are input number 1 of the case. Queries are l x heads x d, keys l x
 * kv x d, row-major; heads / kv neighbouring heads of queries share their keys.
 * With a causal mask query i may see keys 0 to i.
 */
#ifndef KERNELS_QUERY_H
#define KERNELS_QUERY_H

#include "kernels/input.h"

enum {
    QUERY_KEYS = 1,   /* number of the input that holds the keys */
    QUERY_MARKS = 12, /* no input has this number: draws which keys they are */
    QUERY_EDGE = 64,
};

struct query_shape {
    int heads, kv, d, l;
    bool causal;
};

/*
 * An input of queries, bf16 or e4m3 as the keys are. The shape is packed into
 * `range`, since references that records name know how large a struct
 * kernel_buffer is: bits 0-23 are l, 24-33 d, 34-43 heads, 44-53 kv, 54 causal.
 */
static inline struct kernel_buffer kernel_queries(const char *name,
                                                  enum kernel_dtype dtype,
                                                  const struct query_shape *q)
{
    const int64_t range = (int64_t)q->l | (int64_t)q->d << 24 |
                          (int64_t)q->heads << 34 | (int64_t)q->kv << 44 |
                          (int64_t)q->causal << 54;
    const struct kernel_buffer b = {name,
                                    KERNEL_IN,
                                    dtype,
                                    (size_t)q->l * (size_t)q->heads *
                                        (size_t)q->d,
                                    KERNEL_QUERIES,
                                    range,
                                    0};

    return b;
}

INPUT_FN struct query_shape query_shape_of(int64_t range)
{
    const struct query_shape q = {
        (int)(range >> 34 & 0x3ff), (int)(range >> 44 & 0x3ff),
        (int)(range >> 24 & 0x3ff), (int)(range & 0xffffff),
        (range >> 54 & 1) != 0};

    return q;
}

/* The first of the two keys, of `seen` that query i may see. */
INPUT_FN int query_first_key(const struct query_shape *q, uint64_t z, int i,
                             int seen)
{
    const int any = (int)((z >> 32) * (uint64_t)seen >> 32);

    switch (i == q->l - 1 ? 0 : z >> 1 & 7) {
    case 0:
        return seen - 1;
    case 1:
        return seen < q->l ? seen : seen - 1; /* it may not see this one */
    case 2:
        return 0;
    case 3:
        return any / QUERY_EDGE * QUERY_EDGE;
    case 4:
        return any >= QUERY_EDGE ? any / QUERY_EDGE * QUERY_EDGE - 1 : any;
    default:
        return any;
    }
}

/* Is query i of head h the mean of two keys? Then says which; they differ,
 * unless it sees one only. The last query of a head always is. */
INPUT_FN bool query_is_mean(const struct query_shape *q, uint64_t seed, int i,
                            int h, int key[2])
{
    const uint64_t z =
        input_bits(seed, QUERY_MARKS, (size_t)i * (size_t)q->heads + (size_t)h);
    const int seen = q->causal ? i + 1 : q->l;

    if ((z & 1) == 0 && i < q->l - 1)
        return false;
    key[0] = query_first_key(q, z, i, seen);
    key[1] = (int)((z >> 8 & 0xffffff) * (uint64_t)seen >> 24);
    if (key[1] == key[0])
        key[1] = key[0] > 0 ? key[0] - 1 : seen - 1;
    return true;
}

/* v rounded to bf16; or to e4m3, if it is a multiple of 2^-10. Ties to even. */
INPUT_FN float query_round(enum kernel_dtype t, float v)
{
    uint32_t bits;

    if (t == KERNEL_E4M3)
        return (float)e4m3_value(e4m3_nearest((int64_t)(v * 1024), -10));
    memcpy(&bits, &v, sizeof bits);
    bits = (bits + 0x7fffu + (bits >> 16 & 1)) & 0xffff0000u;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* Element n of the input *b, exact in its type. */
INPUT_FN float query_value(const struct kernel_buffer *b, uint64_t seed,
                           unsigned buffer, size_t n)
{
    const struct query_shape q = query_shape_of(b->range);
    const size_t e = n % (size_t)q.d, row = n / (size_t)q.d;
    const int i = (int)(row / (size_t)q.heads),
              h = (int)(row % (size_t)q.heads);
    const int of = h / (q.heads / q.kv);
    int key[2];
    float v = 0;

    if (!query_is_mean(&q, seed, i, h, key))
        return input_real(b->dtype, seed, buffer, n);
    for (int j = 0; j < 2; j++)
        v += input_real(
            b->dtype, seed, QUERY_KEYS,
            ((size_t)key[j] * (size_t)q.kv + (size_t)of) * (size_t)q.d + e);
    return query_round(b->dtype, v * 0.5f);
}

#endif

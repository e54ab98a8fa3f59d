/*
 * kernels/mla/latent.h - a cache as kernels/cache.h has it, but for latent
 * attention: one row of 576 elements for each key, whatever the number of
 * heads. The first 512 are what a key and its value were compressed to, the
 * rest is the key's position (RoPE). All 576 are the key that queries meet, the
 * first 512 the value.
 *
 * Lengths, pages and the places of NaN are those of kernels/cache.h, and so are
 * the keys that a query is the mean of. Only rows are wider, and there is one
 * head of keys. Buffers are drawn as KERNEL_CACHE and KERNEL_PROBES, with a bit
 * in `range` that says how wide.
 */
#ifndef KERNELS_MLA_LATENT_H
#define KERNELS_MLA_LATENT_H

#include "kernels/cache.h"

enum {
    LATENT_DEEP = 576, /* elements of a key, and of a query */
    LATENT_VALUE = 512,
    LATENT_BIT = 60, /* of struct kernel_buffer's range */
};

/* Is it a latent cache, or are they queries to one? */
INPUT_FN bool latent_is(const struct kernel_buffer *b)
{
    return (b->draw == KERNEL_CACHE || b->draw == KERNEL_PROBES) &&
           (b->range >> LATENT_BIT & 1);
}

/* The number of the first element of a key. */
INPUT_FN size_t latent_at(const struct cache_shape *s, int sequence, int key)
{
    const int keys = cache_page_keys(s);
    const size_t page = cache_page(s, sequence, key / keys);

    return (page * (size_t)keys + (size_t)(key % keys)) * LATENT_DEEP;
}

INPUT_FN size_t latent_elements(const struct cache_shape *s)
{
    return cache_pages(s) * (size_t)cache_page_keys(s) * LATENT_DEEP;
}

/* Does element i belong to a key that there is? */
INPUT_FN bool latent_holds(const struct cache_shape *s, size_t i)
{
    const uint32_t row = (uint32_t)(i / LATENT_DEEP);
    const uint32_t keys = (uint32_t)cache_page_keys(s);
    const uint32_t room = (uint32_t)cache_room(s);
    const uint32_t is = cache_owner(s, row / keys), sequence = is / room;

    if (!s->page && !s->ragged)
        return true;
    return sequence < (uint32_t)s->b &&
           is % room * keys + row % keys <
               (uint32_t)cache_length(s, (int)sequence);
}

/* v as bits of bf16, rounded to nearest, ties to even. */
INPUT_FN uint32_t latent_round(float v)
{
    uint32_t bits;

    memcpy(&bits, &v, sizeof bits);
    return (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
}

/* Element i of the queries, which are b x heads x 576. */
INPUT_FN uint32_t latent_query(const struct cache_shape *s, uint64_t seed,
                               unsigned buffer, size_t i)
{
    const size_t e = i % LATENT_DEEP, row = i / LATENT_DEEP;
    const int sequence = (int)(row / (size_t)s->heads);
    const int head = (int)(row % (size_t)s->heads);
    int key[2];
    float v = 0;

    if (!cache_is_mean(s, seed, sequence, head, key))
        return latent_round(input_real(KERNEL_BF16, seed, buffer, i));
    for (int j = 0; j < 2; j++)
        v += input_real(KERNEL_BF16, seed, CACHE_KEYS,
                        latent_at(s, sequence, key[j]) + e);
    return latent_round(v * 0.5f);
}

/* The bits of element i of input number `buffer`, which is latent. */
INPUT_FN uint32_t latent_bits(const struct kernel_buffer *b, uint64_t seed,
                              unsigned buffer, size_t i)
{
    const struct cache_shape s = cache_shape_of(b->range);

    if (b->draw == KERNEL_PROBES)
        return latent_query(&s, seed, buffer, i);
    if (!latent_holds(&s, i))
        return 0x7fff;
    return latent_round(input_real(KERNEL_BF16, seed, buffer, i));
}

/* ---- buffers ---- */

static inline struct kernel_buffer latent_buffer(const char *name,
                                                 enum kernel_draw draw,
                                                 const struct cache_shape *s,
                                                 size_t count)
{
    const struct kernel_buffer b = {
        name,  KERNEL_IN, KERNEL_BF16,
        count, draw,      cache_packed(s) | (int64_t)1 << LATENT_BIT,
        0};

    return b;
}

/* Keys of all sequences, values among them. */
static inline struct kernel_buffer latent_keys(const char *name,
                                               const struct cache_shape *s)
{
    return latent_buffer(name, KERNEL_CACHE, s, latent_elements(s));
}

/* A query for each head of each sequence. */
static inline struct kernel_buffer latent_queries(const char *name,
                                                  const struct cache_shape *s)
{
    return latent_buffer(name, KERNEL_PROBES, s,
                         (size_t)s->b * (size_t)s->heads * LATENT_DEEP);
}

#endif

/*
 * kernels/cache.h - a cache of keys or values, as a decoder keeps it for a
 * batch of sequences, and queries to it that make single keys matter.
 *
 * A cache consists of pages. A page has room for `page` keys of each head, and
 * lies in memory as kv x page x 128 elements, row-major. A flat cache has one
 * page of l keys for each sequence, in order. Otherwise the pages of a sequence
 * lie scattered, as they do after a while, and cache_page() says where.
 *
 * A sequence of a ragged batch has fewer keys than there is room for. All other
 * elements are NaN, those of pages that belong to nobody, too. A kernel that
 * lets one of them into a sum shows it.
 *
 * Three of four queries are the mean of two keys, which then get most of its
 * weight (kernels/query.h says why): often the last key, the first, or one at
 * the edge of 16 or 64. The first head of a sequence always has the last key.
 */
#ifndef KERNELS_CACHE_H
#define KERNELS_CACHE_H

#include "kernels/input.h"

enum {
    CACHE_DEEP = 128, /* elements of a key */
    CACHE_KEYS = 1,   /* number of the input that holds the keys */
    CACHE_MARKS = 12, /* no input has this number: which keys are meant */
    CACHE_SIZES = 13, /* nor this: how long sequences are */
    CACHE_SMALL = 16, /* edges where kernels make mistakes */
    CACHE_LARGE = 64,
    CACHE_ALIKE = 1, /* sequence with this number has one key if ragged */
    CACHE_ROUND = 2, /* and this one a multiple of CACHE_LARGE */
};

struct cache_shape {
    int b, heads, kv, l; /* sequences, heads, heads of keys, most keys */
    int page;            /* keys of a page; 0: flat */
    bool ragged;
    enum kernel_dtype dtype; /* of keys and values: bf16 or e4m3 */
};

/* ---- a shape in a struct kernel_buffer, whose size records know ---- */

/* Bits 0-19 are l, 20-29 heads, 30-39 kv, 40-49 b, 50-57 page, 58 ragged, 59
 * says e4m3. */
static inline int64_t cache_packed(const struct cache_shape *s)
{
    return (int64_t)s->l | (int64_t)s->heads << 20 | (int64_t)s->kv << 30 |
           (int64_t)s->b << 40 | (int64_t)s->page << 50 |
           (int64_t)s->ragged << 58 | (int64_t)(s->dtype == KERNEL_E4M3) << 59;
}

INPUT_FN struct cache_shape cache_shape_of(int64_t range)
{
    const struct cache_shape s = {(int)(range >> 40 & 0x3ff),
                                  (int)(range >> 20 & 0x3ff),
                                  (int)(range >> 30 & 0x3ff),
                                  (int)(range & 0xfffff),
                                  (int)(range >> 50 & 0xff),
                                  (range >> 58 & 1) != 0,
                                  range >> 59 & 1 ? KERNEL_E4M3 : KERNEL_BF16};

    return s;
}

/* ---- where keys are ---- */

/* How many keys a sequence has: 1 to l. */
INPUT_FN int cache_length(const struct cache_shape *s, int sequence)
{
    const uint64_t z = input_bits(0, CACHE_SIZES, (size_t)sequence);

    if (!s->ragged || sequence == 0)
        return s->l;
    if (sequence == CACHE_ALIKE)
        return 1;
    if (sequence == CACHE_ROUND && s->l >= CACHE_LARGE)
        return s->l / CACHE_LARGE * CACHE_LARGE;
    return 1 + (int)((z >> 32) * (uint64_t)s->l >> 32);
}

/* Keys of a page, and pages that a sequence has room for. */
INPUT_FN int cache_page_keys(const struct cache_shape *s)
{
    return s->page ? s->page : s->l;
}

INPUT_FN int cache_room(const struct cache_shape *s)
{
    return (s->l + cache_page_keys(s) - 1) / cache_page_keys(s);
}

/* Pages of a scattered cache are 2 to this power. */
INPUT_FN int cache_bits(const struct cache_shape *s)
{
    const uint32_t most = (uint32_t)s->b * (uint32_t)cache_room(s) - 1;

#ifdef __CUDA_ARCH__
    return 32 - __clz((int)most);
#else
    return most ? 32 - __builtin_clz(most) : 0;
#endif
}

/* All pages, those that belong to nobody, too. */
INPUT_FN size_t cache_pages(const struct cache_shape *s)
{
    return s->page ? (size_t)1 << cache_bits(s) : (size_t)s->b;
}

/* An odd number, and the one that undoes a multiplication by it, mod 2^32. */
#define CACHE_TIMES 0x9e3779b1u
#define CACHE_UNDOES 0x0e8b2f51u

/* What lies in a page: the page `nth` of a sequence is number sequence * room +
 * nth of all. */
INPUT_FN uint32_t cache_owner(const struct cache_shape *s, uint32_t page)
{
    const int bits = cache_bits(s);
    const uint32_t mask = (uint32_t)(((uint64_t)1 << bits) - 1);
    const uint32_t mixed = page * CACHE_TIMES & mask;

    return s->page ? mixed ^ mixed >> (bits + 1) / 2 : page;
}

/* Where page `nth` of a sequence lies. */
INPUT_FN uint32_t cache_page(const struct cache_shape *s, int sequence, int nth)
{
    const int bits = cache_bits(s);
    const uint32_t mask = (uint32_t)(((uint64_t)1 << bits) - 1);
    const uint32_t n =
        (uint32_t)sequence * (uint32_t)cache_room(s) + (uint32_t)nth;

    if (!s->page)
        return n;
    return (n ^ n >> (bits + 1) / 2) * CACHE_UNDOES & mask;
}

/* The number of the first element of a key of a head. */
INPUT_FN size_t cache_at(const struct cache_shape *s, int sequence, int head,
                         int key)
{
    const int keys = cache_page_keys(s);
    const size_t page = cache_page(s, sequence, key / keys);

    return ((page * (size_t)s->kv + (size_t)head) * (size_t)keys +
            (size_t)(key % keys)) *
           CACHE_DEEP;
}

INPUT_FN size_t cache_elements(const struct cache_shape *s)
{
    return cache_pages(s) * (size_t)s->kv * (size_t)cache_page_keys(s) *
           CACHE_DEEP;
}

/* Does element i belong to a key that there is? GPUs ask this for each element
 * of gigabytes, so numbers have 32 bits: there are as many rows at most. */
INPUT_FN bool cache_holds(const struct cache_shape *s, size_t i)
{
    const uint32_t row = (uint32_t)(i / CACHE_DEEP);
    const uint32_t keys = (uint32_t)cache_page_keys(s);
    const uint32_t room = (uint32_t)cache_room(s);
    uint32_t is, sequence;

    if (!s->page && !s->ragged)
        return true;
    is = cache_owner(s, row / keys / (uint32_t)s->kv);
    sequence = is / room;
    return sequence < (uint32_t)s->b &&
           is % room * keys + row % keys <
               (uint32_t)cache_length(s, (int)sequence);
}

/* ---- what is in them ---- */

/* The bits of element i of input number `buffer`, keys or values. */
INPUT_FN uint32_t cache_bits_at(const struct cache_shape *s, uint64_t seed,
                                unsigned buffer, size_t i)
{
    uint32_t bits;
    float v;

    if (!cache_holds(s, i))
        return s->dtype == KERNEL_E4M3 ? (uint32_t)E4M3_NAN : 0x7fff;
    if (s->dtype == KERNEL_E4M3)
        return input_e4m3(seed, buffer, i);
    v = input_real(KERNEL_BF16, seed, buffer, i);
    memcpy(&bits, &v, sizeof bits);
    return bits >> 16;
}

/* The first of two keys that a query is the mean of, of so many. */
INPUT_FN int cache_first_key(uint64_t z, int keys)
{
    const int any = (int)((z >> 32) * (uint64_t)keys >> 32);

    switch (z >> 2 & 7) {
    case 0:
        return keys - 1;
    case 1:
        return 0;
    case 2:
        return any / CACHE_LARGE * CACHE_LARGE;
    case 3:
        return any >= CACHE_LARGE ? any / CACHE_LARGE * CACHE_LARGE - 1 : any;
    case 4:
        return any / CACHE_SMALL * CACHE_SMALL;
    case 5:
        return any >= CACHE_SMALL ? any / CACHE_SMALL * CACHE_SMALL - 1 : any;
    default:
        return any;
    }
}

/* Is the query of a head the mean of two keys? Then says which; they differ if
 * the sequence has more than one. */
INPUT_FN bool cache_is_mean(const struct cache_shape *s, uint64_t seed,
                            int sequence, int head, int key[2])
{
    const size_t row = (size_t)sequence * (size_t)s->heads + (size_t)head;
    const uint64_t z = input_bits(seed, CACHE_MARKS, row);
    const int keys = cache_length(s, sequence);

    if ((z & 3) == 0 && head > 0)
        return false;
    key[0] = head == 0 ? keys - 1 : cache_first_key(z, keys);
    key[1] = (int)((z >> 8 & 0xffffff) * (uint64_t)keys >> 24);
    if (key[1] == key[0])
        key[1] = key[0] > 0 ? key[0] - 1 : keys - 1;
    return true;
}

/* Element n of the queries, which are b x heads x 128; exact in bf16. */
INPUT_FN float cache_query(const struct cache_shape *s, uint64_t seed,
                           unsigned buffer, size_t n)
{
    const size_t e = n % CACHE_DEEP, row = n / CACHE_DEEP;
    const int sequence = (int)(row / (size_t)s->heads);
    const int head = (int)(row % (size_t)s->heads);
    uint32_t bits;
    int key[2];
    float v = 0;

    if (!cache_is_mean(s, seed, sequence, head, key))
        return input_real(KERNEL_BF16, seed, buffer, n);
    for (int j = 0; j < 2; j++)
        v += input_real(
            s->dtype, seed, CACHE_KEYS,
            cache_at(s, sequence, head / (s->heads / s->kv), key[j]) + e);
    v *= 0.5f;
    memcpy(&bits, &v, sizeof bits);
    bits = (bits + 0x7fffu + (bits >> 16 & 1)) & 0xffff0000u;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* ---- buffers ---- */

/* Keys or values. */
static inline struct kernel_buffer kernel_cache(const char *name,
                                                const struct cache_shape *s)
{
    const struct kernel_buffer b = {
        name,         KERNEL_IN,       s->dtype, cache_elements(s),
        KERNEL_CACHE, cache_packed(s), 0};

    return b;
}

/* A query for each head of each sequence. */
static inline struct kernel_buffer kernel_probes(const char *name,
                                                 const struct cache_shape *s)
{
    const struct kernel_buffer b = {name,
                                    KERNEL_IN,
                                    KERNEL_BF16,
                                    (size_t)s->b * (size_t)s->heads *
                                        CACHE_DEEP,
                                    KERNEL_PROBES,
                                    cache_packed(s),
                                    0};

    return b;
}

#endif

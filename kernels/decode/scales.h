/*
 * kernels/decode/scales.h - a cache in e4m3 with scales of its own, which
 * kernels/decode/decode.h does not know. The case's layout ends in
 *
 *   "_token"  each key of each head of keys has a pair of floats: its own scale
 *             and that of its value
 *   "_page"   SCALES_PAGE keys of a head have a pair in common
 *
 * An element of a key is its e4m3 times the key's scale, and one of a value is
 * its e4m3 times the value's. The pairs of a row, which is a head of keys of a
 * sequence, lie one after the other, and rows lie as those of a flat cache do.
 * A row has room for an even number of pairs, so it begins at a multiple of 16
 * bytes. A pair that no key has is NaN.
 *
 * Scales of values are at most 1, as those of a quantiser are that has elements
 * up to 448. So a weight that fits into f16 does so when it is multiplied by
 * one.
 *
 * Half of the drawn scales are powers of two, and the others have any mantissa.
 * Those of values differ by up to 64. Those of keys differ by up to 4 only:
 * scores are exponents, so a larger scale than all others would leave one key
 * with all of the weight.
 */
#ifndef KERNELS_DECODE_SCALES_H
#define KERNELS_DECODE_SCALES_H

#include "kernels/decode/decode.h"

enum { /* buffers of a case with scales; its scratch memory comes behind them */
       DECODE_SCALES = DECODE_WHERE + 1,
       DECODE_SCALED_SCRATCH,
};

enum {
    SCALES_PAGE = 64,   /* keys that have a pair in common */
    SCALES_BIT = 61,    /* of struct kernel_buffer's range: these are scales */
    SCALES_PAGE_BIT,    /* of pages */
    SCALES_OF_KEYS = 2, /* octaves of what is drawn, from 1/2 on, */
    SCALES_OF_VALUES = 6, /* and up to 1 */
};

/* Keys that have a pair in common; 0: the case has no scales. */
static inline int scales_keys(const struct kernel_case *c)
{
    const char *const end = strchr(kernel_word(c, "layout"), '_');

    if (end == NULL)
        return 0;
    return strcmp(end, "_token") == 0 ? 1 : SCALES_PAGE;
}

/* Pairs that a row has room for, where `keys` keys share one. */
INPUT_FN int scales_pitch(const struct cache_shape *s, int keys)
{
    return ((s->l + keys - 1) / keys + 1) / 2 * 2;
}

/* The number of a key's scale among all floats; its value's is the next. */
INPUT_FN size_t scales_at(const struct cache_shape *s, int keys, int sequence,
                          int head, int key)
{
    const size_t row = (size_t)sequence * (size_t)s->kv + (size_t)head;

    return 2 * (row * (size_t)scales_pitch(s, keys) + (size_t)(key / keys));
}

/* The bits of float i, which some key has. In integers, so that host and device
 * agree. */
INPUT_FN uint32_t scales_draw(uint64_t seed, size_t i)
{
    const uint64_t z = input_bits(seed, DECODE_SCALES, i);
    const bool of_value = i % 2 == 1;
    const uint32_t octaves = of_value ? SCALES_OF_VALUES : SCALES_OF_KEYS;
    const uint32_t least = 127 - (of_value ? SCALES_OF_VALUES : 1);
    const uint32_t octave = (uint32_t)((z >> 32) * octaves >> 32);

    return (least + octave) << 23 | (z & 1 ? 0 : (uint32_t)z >> 9);
}

/* The same as a number. */
INPUT_FN float scales_drawn(uint64_t seed, size_t i)
{
    const uint32_t bits = scales_draw(seed, i);
    float v;

    memcpy(&v, &bits, sizeof v);
    return v;
}

/* ---- the buffer ---- */

/* Is this a buffer of scales? */
INPUT_FN bool scales_is(const struct kernel_buffer *b)
{
    return b->draw == KERNEL_CACHE && (b->range >> SCALES_BIT & 1);
}

/* The bits of float i of *b. */
INPUT_FN uint32_t scales_bits(const struct kernel_buffer *b, uint64_t seed,
                              size_t i)
{
    const struct cache_shape s = cache_shape_of(b->range);
    const int keys = b->range >> SCALES_PAGE_BIT & 1 ? SCALES_PAGE : 1;
    const uint32_t pitch = (uint32_t)scales_pitch(&s, keys);
    const uint32_t pair = (uint32_t)(i / 2);
    const int sequence = (int)(pair / pitch / (uint32_t)s.kv);

    if ((int)(pair % pitch) * keys >= cache_length(&s, sequence))
        return 0x7fc00000; /* NaN */
    return scales_draw(seed, i);
}

static inline struct kernel_buffer
kernel_scales(const char *name, const struct cache_shape *s, int keys)
{
    const size_t rows = (size_t)s->b * (size_t)s->kv;
    const struct kernel_buffer b = {name,
                                    KERNEL_IN,
                                    KERNEL_F32,
                                    2 * rows * (size_t)scales_pitch(s, keys),
                                    KERNEL_CACHE,
                                    cache_packed(s) | (int64_t)1 << SCALES_BIT |
                                        (int64_t)(keys == SCALES_PAGE)
                                            << SCALES_PAGE_BIT,
                                    0};

    return b;
}

#endif

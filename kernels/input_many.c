#include "kernels/input_many.h"

#include "kernels/input.h"

/* One stretch of an input. */
struct stretch {
    uint64_t seed;
    unsigned buffer;
    size_t begin, end;
    int64_t range;
    uint64_t octaves; /* of Zipf's keys */
};

/*
 * Each loop is written once, in a function that is part of two others: one for
 * any processor, one for those with 64-bit products in vectors. Which of them
 * runs is asked of the processor.
 */
#define PART static inline __attribute__((always_inline))
#if defined(__x86_64__)
#define WIDE                                                         \
    __attribute__((target("avx512f,avx512dq,avx512vl,prefer-vector-" \
                          "width=512")))
static bool is_wide(void)
{
    return __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}
#else
#define WIDE
static bool is_wide(void)
{
    return false;
}
#endif

PART struct input_sum sum_of_f32(const struct stretch *s)
{
    struct input_sum out = {0, 0};

    for (size_t i = s->begin; i < s->end; i++) {
        const int64_t units =
            (int64_t)(input_bits(s->seed, s->buffer, i) >> 40) - (1 << 23);

        out.sum += units;
        out.size += units < 0 ? -units : units;
    }
    return out;
}

PART struct input_sum sum_of_keys(const struct stretch *s)
{
    int64_t sum = 0;

    for (size_t i = s->begin; i < s->end; i++)
        sum += (int64_t)((input_bits(s->seed, s->buffer, i) >> 32) *
                             (uint64_t)s->range >>
                         32);
    return (struct input_sum){sum * (1 << 23), sum * (1 << 23)};
}

PART void uniform_keys(const struct stretch *s, uint32_t *key)
{
    for (size_t i = s->begin; i < s->end; i++)
        key[i - s->begin] =
            (uint32_t)((input_bits(s->seed, s->buffer, i) >> 32) *
                           (uint64_t)s->range >>
                       32);
}

PART void zipf_keys(const struct stretch *s, uint32_t *key)
{
    for (size_t i = s->begin; i < s->end; i++)
        key[i - s->begin] = (uint32_t)input_zipf(
            input_bits(s->seed, s->buffer, i), s->octaves, s->range);
}

static struct input_sum sum_any(const struct stretch *s, bool keys)
{
    return keys ? sum_of_keys(s) : sum_of_f32(s);
}

WIDE static struct input_sum sum_wide(const struct stretch *s, bool keys)
{
    return keys ? sum_of_keys(s) : sum_of_f32(s);
}

static void keys_any(const struct stretch *s, bool zipf, uint32_t *key)
{
    if (zipf)
        zipf_keys(s, key);
    else
        uniform_keys(s, key);
}

WIDE static void keys_wide(const struct stretch *s, bool zipf, uint32_t *key)
{
    if (zipf)
        zipf_keys(s, key);
    else
        uniform_keys(s, key);
}

bool input_many_sum(const struct kernel_buffer *b, uint64_t seed,
                    unsigned buffer, size_t begin, size_t end,
                    struct input_sum *out)
{
    const bool keys = b->draw == KERNEL_KEYS;
    const struct stretch s = {.seed = seed,
                              .buffer = buffer,
                              .begin = begin,
                              .end = end,
                              .range = b->range};

    if (input_kind(seed) != INPUT_UNIFORM ||
        (!keys && (b->draw != KERNEL_REAL || b->dtype != KERNEL_F32)))
        return false;
    *out = is_wide() ? sum_wide(&s, keys) : sum_any(&s, keys);
    return true;
}

void input_many_keys(const struct kernel_buffer *b, uint64_t seed,
                     unsigned buffer, size_t begin, size_t n, uint32_t *key)
{
    const bool zipf = b->draw == KERNEL_ZIPF;
    const struct stretch s = {.seed = seed,
                              .buffer = buffer,
                              .begin = begin,
                              .end = begin + n,
                              .range = b->range,
                              .octaves = input_octaves(b->range)};

    if (b->draw == KERNEL_ONEKEY || input_kind(seed) == INPUT_ZEROS)
        for (size_t i = 0; i < n; i++)
            key[i] = (uint32_t)input_key(b->draw, b->range, seed, buffer, 0);
    else if (is_wide())
        keys_wide(&s, zipf, key);
    else
        keys_any(&s, zipf, key);
}

/*
 * histogram/c_simd - four sets of bins and threads in C.
 *
 * Vectors do not help here: no CPU adds to eight addresses at once if two of
 * them may be the same. But neighbouring keys need not wait for each other. Key
 * i goes to set i mod 4, so that even four equal neighbours are additions to
 * four different words. The sets begin a cache line off each other: at a
 * distance of 4 KiB, a core takes a load for one that depends on the store
 * before it. Every core takes a share with sets of its own, and adds them to
 * the result at its end.
 */
#include "kernels/histogram/histogram.h"
#include "kernels/parallel.h"

#include <string.h>

enum { SETS = 4, SET_BINS = 4096, LINE = 16, GRAIN = 1 << 16 };

struct work {
    const void *keys;
    uint32_t *counts;
    size_t bins;
    bool bytes;
};

static uint32_t key_at(const struct work *w, size_t i)
{
    return w->bytes ? ((const uint8_t *)w->keys)[i]
                    : (uint32_t)((const int32_t *)w->keys)[i];
}

/* Other threads add to the result, too. */
static void add_to(uint32_t *counts, const uint32_t *set, size_t bins)
{
    for (size_t b = 0; b < bins; b++)
        if (set[b] != 0)
            __atomic_fetch_add(&counts[b], set[b], __ATOMIC_RELAXED);
}

// ANCHOR: inner
static void count_sets(const struct work *w, size_t begin, size_t end)
{
    uint32_t set[SETS * (SET_BINS + LINE)];
    const size_t stride = w->bins + LINE;
    size_t i = begin;

    memset(set, 0, SETS * stride * sizeof set[0]);
    for (; i + SETS <= end; i += SETS)
        for (size_t s = 0; s < SETS; s++)
            set[s * stride + key_at(w, i + s)]++;
    for (; i < end; i++)
        set[key_at(w, i)]++;
    for (size_t s = 0; s < SETS; s++)
        add_to(w->counts, set + s * stride, w->bins);
}
// ANCHOR_END: inner

/* Many bins: equal neighbours are rare, and four sets would leave the cache. */
static void count_one_set(const struct work *w, size_t begin, size_t end)
{
    uint32_t set[HISTOGRAM_MAX_BINS];

    memset(set, 0, w->bins * sizeof set[0]);
    for (size_t i = begin; i < end; i++)
        set[key_at(w, i)]++;
    add_to(w->counts, set, w->bins);
}

static void do_part(void *arg, int part, size_t begin, size_t end)
{
    const struct work *w = arg;

    (void)part;
    if (w->bins <= SET_BINS)
        count_sets(w, begin, end);
    else
        count_one_set(w, begin, end);
}

int histogram_c_simd(const struct kernel_case *c, const struct kernel_env *env,
                     void *const *buf, void *state)
{
    struct work w = {.keys = buf[1],
                     .counts = buf[0],
                     .bins = (size_t)kernel_num(c, "bins"),
                     .bytes = c->dtype == KERNEL_U8};

    (void)state;
    memset(w.counts, 0, w.bins * sizeof *w.counts);
    parallel_for(env->threads, (size_t)kernel_num(c, "n"), GRAIN, do_part, &w);
    return 0;
}

/*
 * atomics/c_simd - threads and atomics in C. One locked instruction adds an
 * integer. For a float, a thread reads the old value, adds to it, and exchanges
 * it if no other thread was faster.
 */
#include "kernels/atomics/atomics.h"
#include "kernels/parallel.h"

#include <string.h>

enum { GRAIN = 1 << 14 };

struct work {
    struct atomics_shape s;
    void *sums;
    const void *x;
    bool words;
};

// ANCHOR: inner
static void add_float(float *at, float value)
{
    float old, sum;

    __atomic_load(at, &old, __ATOMIC_RELAXED);
    do
        sum = old + value;
    while (!__atomic_compare_exchange(at, &old, &sum, true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED));
}

static void do_part(void *arg, int part, size_t begin, size_t end)
{
    const struct work *w = arg;
    int32_t *words = w->sums;
    float *floats = w->sums;

    (void)part;
    for (size_t j = begin; j < end; j++) {
        const size_t at = j % w->s.places * w->s.gap, i = j % w->s.elements;

        if (w->words)
            __atomic_fetch_add(&words[at], ((const int32_t *)w->x)[i],
                               __ATOMIC_RELAXED);
        else
            add_float(&floats[at], atomics_widen(((const uint16_t *)w->x)[i]));
    }
}
// ANCHOR_END: inner

int atomics_c_simd(const struct kernel_case *c, const struct kernel_env *env,
                   void *const *buf, void *state)
{
    struct work w = {atomics_shape(c), buf[0], buf[1], c->dtype == KERNEL_I32};

    (void)state;
    memset(buf[0], 0, w.s.places * w.s.gap * sizeof(int32_t));
    parallel_for(env->threads, w.s.n, GRAIN, do_part, &w);
    return 0;
}

/*
 * atomics/c_scalar - the plain C loop, on one thread, which needs no atomics.
 */
#include "kernels/atomics/atomics.h"

#include <string.h>

/* Counts j mod size without a division. */
static size_t next(size_t i, size_t size)
{
    return i + 1 < size ? i + 1 : 0;
}

static void add_words(int32_t *sums, const int32_t *x, struct atomics_shape s)
{
    // ANCHOR: inner
    for (size_t j = 0, i = 0, place = 0; j < s.n; j++) {
        sums[place * s.gap] += x[i];
        i = next(i, s.elements);
        place = next(place, s.places);
    }
    // ANCHOR_END: inner
}

static void add_floats(float *sums, const uint16_t *x, struct atomics_shape s)
{
    for (size_t j = 0, i = 0, place = 0; j < s.n; j++) {
        sums[place * s.gap] += atomics_widen(x[i]);
        i = next(i, s.elements);
        place = next(place, s.places);
    }
}

int atomics_c_scalar(const struct kernel_case *c, const struct kernel_env *env,
                     void *const *buf, void *state)
{
    const struct atomics_shape s = atomics_shape(c);

    (void)env;
    (void)state;
    memset(buf[0], 0, s.places * s.gap * sizeof(int32_t));
    if (c->dtype == KERNEL_I32)
        add_words(buf[0], buf[1], s);
    else
        add_floats(buf[0], buf[1], s);
    return 0;
}

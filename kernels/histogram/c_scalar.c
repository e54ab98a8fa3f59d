/*
 * histogram/c_scalar - the plain C loop, on one thread. When a key comes twice
 * in a row, the second addition waits until the first has gone to memory and
 * come back.
 */
#include "kernels/histogram/histogram.h"

#include <string.h>

// ANCHOR: inner
static void count_words(uint32_t *counts, const int32_t *keys, size_t n)
{
    for (size_t i = 0; i < n; i++)
        counts[keys[i]]++;
}

static void count_bytes(uint32_t *counts, const uint8_t *keys, size_t n)
{
    for (size_t i = 0; i < n; i++)
        counts[keys[i]]++;
}
// ANCHOR_END: inner

int histogram_c_scalar(const struct kernel_case *c,
                       const struct kernel_env *env, void *const *buf,
                       void *state)
{
    const size_t n = (size_t)kernel_num(c, "n");
    uint32_t *counts = buf[0];

    (void)env;
    (void)state;
    memset(counts, 0, (size_t)kernel_num(c, "bins") * sizeof *counts);
    if (c->dtype == KERNEL_U8)
        count_bytes(counts, buf[1], n);
    else
        count_words(counts, buf[1], n);
    return 0;
}

/*
 * {name}/loop - the plain C loop, on one thread.
 *
 * One chain of additions: each waits for the one before it.
 */
#include "kernels/kernel.h"

int {name}_loop(const struct kernel_case *c, const struct kernel_env *env,
               void *const *buf, void *state)
{
    const size_t n = (size_t)kernel_num(c, "n");
    float *out = buf[0];
    const float *x = buf[1];
    double sum = 0;

    (void)env;
    (void)state;
    // ANCHOR: inner
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i];
    *out = (float)sum;
    // ANCHOR_END: inner
    return 0;
}

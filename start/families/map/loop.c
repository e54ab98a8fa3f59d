/*
 * {name}/loop - the plain C loop, on one thread.
 *
 * The compiler makes vectors of it.
 */
#include "kernels/kernel.h"

int {name}_loop(const struct kernel_case *c, const struct kernel_env *env,
               void *const *buf, void *state)
{
    const size_t n = (size_t)kernel_num(c, "n");
    float *out = buf[0];
    const float *x = buf[1];

    (void)env;
    (void)state;
    // ANCHOR: inner
    for (size_t i = 0; i < n; i++)
        out[i] = 2 * x[i] + 1;
    // ANCHOR_END: inner
    return 0;
}

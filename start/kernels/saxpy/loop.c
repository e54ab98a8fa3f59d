/*
 * saxpy/loop - the plain C loop, on one thread.
 *
 * The compiler makes vectors of it. What it lacks is requests in flight: one
 * core seldom keeps the memory busy.
 */
#include "kernels/saxpy/saxpy.h"

int saxpy_loop(const struct kernel_case *c, const struct kernel_env *env,
               void *const *buf, void *state)
{
    const size_t n = (size_t)kernel_num(c, "n");
    float *out = buf[0];
    const float *x = buf[1], *y = buf[2];

    (void)env;
    (void)state;
    // ANCHOR: inner
    for (size_t i = 0; i < n; i++)
        out[i] = SAXPY_A * x[i] + y[i];
    // ANCHOR_END: inner
    return 0;
}

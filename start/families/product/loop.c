/*
 * {name}/loop - the plain C loop, on one thread.
 *
 * The innermost loop runs along rows of B and C, so the compiler makes vectors
 * of it.
 */
#include "kernels/kernel.h"

int {name}_loop(const struct kernel_case *c, const struct kernel_env *env,
               void *const *buf, void *state)
{
    const size_t m = (size_t)kernel_num(c, "m"), n = (size_t)kernel_num(c, "n");
    const size_t depth = (size_t)kernel_num(c, "k");
    const float *a = buf[0], *b = buf[1];
    float *out = buf[2];

    (void)env;
    (void)state;
    // ANCHOR: inner
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++)
            out[i * n + j] = 0;
        for (size_t k = 0; k < depth; k++)
            for (size_t j = 0; j < n; j++)
                out[i * n + j] += a[i * depth + k] * b[k * n + j];
    }
    // ANCHOR_END: inner
    return 0;
}

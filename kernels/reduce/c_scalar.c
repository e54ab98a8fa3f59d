/*
 * reduce/c_scalar - the plain C loop, on one thread.
 *
 * The compiler may not change the order of float additions, so each waits for
 * the one before: four cycles or so per element, however fast the memory is.
 */
#include "kernels/reduce/reduce.h"

int reduce_c_scalar(const struct kernel_case *c, const struct kernel_env *env,
                    void *const *buf, void *state)
{
    const size_t n = (size_t)kernel_num(c, "n");
    const float *x = buf[1];
    float sum = 0;

    (void)env;
    (void)state;
    // ANCHOR: inner
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    // ANCHOR_END: inner
    *(float *)buf[0] = sum;
    return 0;
}

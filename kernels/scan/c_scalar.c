/*
 * scan/c_scalar - the plain C loop, on one thread.
 *
 * This is the definition, with the fewest operations: one addition, one load
 * and one store per element. But it cannot start in the middle.
 */
#include "kernels/scan/scan.h"

static void scan_f32(float *y, const float *x, size_t n)
{
    float sum = 0;

    // ANCHOR: inner
    for (size_t i = 0; i < n; i++) {
        y[i] = sum;
        sum += x[i];
    }
    // ANCHOR_END: inner
}

static void scan_i32(int32_t *y, const int32_t *x, size_t n)
{
    int32_t sum = 0;

    for (size_t i = 0; i < n; i++) {
        y[i] = sum;
        sum += x[i];
    }
}

int scan_c_scalar(const struct kernel_case *c, const struct kernel_env *env,
                  void *const *buf, void *state)
{
    (void)env;
    (void)state;
    if (c->dtype == KERNEL_I32)
        scan_i32(buf[0], buf[1], scan_length(c));
    else
        scan_f32(buf[0], buf[1], scan_length(c));
    return 0;
}

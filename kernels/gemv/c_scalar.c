/*
 * gemv/c_scalar - the plain C loop, on one thread.
 *
 * One running sum per output. Floating-point additions may not change their
 * order, so each waits for the one before, whatever the memory could do.
 */
#include "kernels/bf16.h"
#include "kernels/kernel.h"

int gemv_c_scalar(const struct kernel_case *c, const struct kernel_env *env,
                  void *const *buf, void *state)
{
    const size_t tokens = (size_t)kernel_num(c, "m");
    const size_t rows = (size_t)kernel_num(c, "n");
    const size_t k = (size_t)kernel_num(c, "k");
    const uint16_t *x = buf[0], *w = buf[1];
    uint16_t *y = buf[2];

    (void)env, (void)state;
    // ANCHOR: inner
    for (size_t t = 0; t < tokens; t++)
        for (size_t r = 0; r < rows; r++) {
            float sum = 0;

            for (size_t i = 0; i < k; i++)
                sum += bf16_value(x[t * k + i]) * bf16_value(w[r * k + i]);
            y[t * rows + r] = bf16_round(sum);
        }
    // ANCHOR_END: inner
    return 0;
}

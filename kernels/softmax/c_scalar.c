/*
 * softmax/c_scalar - the definition, in plain C, on one thread.
 *
 * Three loops: the maximum, the sum of the exponentials, the quotients. The
 * sum is a double, so that one chain of additions is enough for any row.
 */
#include "kernels/bf16.h"
#include "kernels/softmax/softmax.h"

#include <math.h>

static float element(enum kernel_dtype t, const void *x, size_t i)
{
    return t == KERNEL_BF16 ? bf16_value(((const uint16_t *)x)[i])
                            : ((const float *)x)[i];
}

static void put(enum kernel_dtype t, void *y, size_t i, float v)
{
    if (t == KERNEL_BF16)
        ((uint16_t *)y)[i] = bf16_round(v);
    else
        ((float *)y)[i] = v;
}

// ANCHOR: inner
static void one_row(enum kernel_dtype t, void *y, const void *x, size_t begin,
                    size_t end, float scale)
{
    float top = -INFINITY;
    double sum = 0;

    for (size_t i = begin; i < end; i++)
        top = fmaxf(top, element(t, x, i));
    for (size_t i = begin; i < end; i++)
        sum += (double)expf(scale * (element(t, x, i) - top));
    for (size_t i = begin; i < end; i++)
        put(t, y, i, expf(scale * (element(t, x, i) - top)) * (float)(1 / sum));
}
// ANCHOR_END: inner

int softmax_c_scalar(const struct kernel_case *c, const struct kernel_env *env,
                     void *const *buf, void *state)
{
    const size_t rows = (size_t)softmax_rows(c), cols = (size_t)softmax_cols(c);

    (void)env, (void)state;
    for (size_t r = 0; r < rows; r++)
        one_row(c->dtype, buf[SOFTMAX_Y], buf[SOFTMAX_X], r * cols,
                (r + 1) * cols, (float)softmax_scale(c));
    return 0;
}

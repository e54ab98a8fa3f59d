/*
 * elementwise/c_scalar - the plain C loop, on one thread: one element after the
 * other, with the functions of the C library in f32.
 */
#include "kernels/bf16.h"
#include "kernels/elementwise/elementwise.h"

#include <math.h>

// ANCHOR: inner
static float gelu(float v)
{
    return 0.5f * v * (1 + erff(v * 0.70710678f));
}

static float gelu_tanh(float v)
{
    const float a = (float)ELEMENTWISE_TANH, b = (float)ELEMENTWISE_CUBE;

    return 0.5f * v * (1 + tanhf(a * (v + b * v * v * v)));
}

static float apply(enum elementwise_op op, float a, float b, uint32_t i)
{
    switch (op) {
    case ELEMENTWISE_GELU:
        return gelu(a + b);
    case ELEMENTWISE_GELU_TANH:
        return gelu_tanh(a + b);
    case ELEMENTWISE_SWIGLU:
        return a / (1 + expf(-a)) * b;
    case ELEMENTWISE_DROPOUT:
        break;
    }
    return elementwise_keeps(i) ? gelu(a + b) * ELEMENTWISE_KEPT : 0;
}
// ANCHOR_END: inner

int elementwise_c_scalar(const struct kernel_case *c,
                         const struct kernel_env *env, void *const *buf,
                         void *state)
{
    const enum elementwise_op op = elementwise_op_of(c);
    const size_t rows = (size_t)kernel_num(c, "rows");
    const size_t cols = (size_t)kernel_num(c, "cols");
    const uint16_t *a = buf[1], *b = buf[2];
    uint16_t *y = buf[0];

    (void)env;
    (void)state;
    for (size_t r = 0; r < rows; r++)
        for (size_t j = 0; j < cols; j++) {
            const size_t i = r * cols + j;
            const size_t k = op == ELEMENTWISE_SWIGLU ? i : j;

            y[i] = bf16_round(
                apply(op, bf16_value(a[i]), bf16_value(b[k]), (uint32_t)i));
        }
    return 0;
}

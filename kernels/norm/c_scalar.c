/*
 * norm/c_scalar - the definition, in plain C, on one thread.
 *
 * A loop for the mean, one for the mean square about it, one for the result;
 * FP8 takes another for the greatest. Sums are doubles, so that one chain of
 * additions is enough for any row.
 */
#include "kernels/bf16.h"
#include "kernels/norm/fp8.h"
#include "kernels/norm/norm.h"

#include <math.h>

static void quantise(const struct norm_task *t, size_t row, const uint16_t *h,
                     float by)
{
    const size_t cols = (size_t)t->cols;
    float top = 0, scale;

    for (size_t i = 0; i < cols; i++)
        top = fmaxf(top, fabsf(bf16_value(h[i]) * by * bf16_value(t->w[i])));
    scale = top > 0 ? top / NORM_FP8_MAX : 1;
    for (size_t i = 0; i < cols; i++)
        t->q[row * cols + i] =
            fp8_round(bf16_value(h[i]) * by * bf16_value(t->w[i]) / scale);
    t->scale[row] = scale;
}

static void one_row(const struct norm_task *t, size_t row)
{
    const size_t cols = (size_t)t->cols;
    const uint16_t *x = t->x + row * cols;
    double sum = 0, squares = 0;
    float mean = 0, by;

    // ANCHOR: inner
    if (t->residual) {
        for (size_t i = 0; i < cols; i++)
            t->h[row * cols + i] = bf16_round(
                bf16_value(x[i]) + bf16_value(t->residual[row * cols + i]));
        x = t->h + row * cols;
    }
    if (t->bias) {
        for (size_t i = 0; i < cols; i++)
            sum += (double)bf16_value(x[i]);
        mean = (float)(sum / (double)cols);
    }
    for (size_t i = 0; i < cols; i++) {
        const float off = bf16_value(x[i]) - mean;

        squares += (double)(off * off);
    }
    by = 1 / sqrtf((float)(squares / (double)cols) + NORM_EPS);
    // ANCHOR_END: inner
    if (t->q) {
        quantise(t, row, x, by);
        return;
    }
    for (size_t i = 0; i < cols; i++)
        t->y[row * cols + i] =
            bf16_round((bf16_value(x[i]) - mean) * by * bf16_value(t->w[i]) +
                       (t->bias ? bf16_value(t->bias[i]) : 0.0f));
}

int norm_c_scalar(const struct kernel_case *c, const struct kernel_env *env,
                  void *const *buf, void *state)
{
    const struct norm_task t = norm_task_of(c, buf);

    (void)env, (void)state;
    for (size_t r = 0; r < (size_t)t.rows; r++)
        one_row(&t, r);
    return 0;
}

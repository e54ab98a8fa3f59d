/*
 * norm/c_simd - vectors and threads in C.
 *
 * A row is turned into floats once, into a buffer on the stack that fits into
 * the caches of a core, and all loops after that run over floats, four lanes
 * and four chains of sums side by side. Every core takes a share of the rows.
 */
#include "kernels/bf16.h"
#include "kernels/norm/fp8.h"
#include "kernels/norm/norm.h"
#include "kernels/parallel.h"

#include <math.h>

enum { WIDTH = 4, CHAINS = 4, MOST = 16384 / WIDTH /* vectors of a row */ };

typedef float vec __attribute__((vector_size(WIDTH * sizeof(float))));

/* A row, as floats; zeros fill the last vector. */
struct row {
    vec v[MOST];
    size_t vectors;
};

static void row_load(const struct norm_task *t, size_t row, struct row *out)
{
    const size_t cols = (size_t)t->cols, begin = row * cols;
    float *v = (float *)out->v;

    out->vectors = (cols + WIDTH - 1) / WIDTH;
    out->v[out->vectors - 1] = (vec){0};
    for (size_t i = 0; i < cols; i++)
        v[i] = bf16_value(t->x[begin + i]);
    if (!t->residual)
        return;
    for (size_t i = 0; i < cols; i++) {
        t->h[begin + i] = bf16_round(v[i] + bf16_value(t->residual[begin + i]));
        v[i] = bf16_value(t->h[begin + i]);
    }
}

static float over_lanes(const vec *part)
{
    const vec all = (part[0] + part[1]) + (part[2] + part[3]);

    return (all[0] + all[1]) + (all[2] + all[3]);
}

// ANCHOR: inner
static float row_sum(const struct row *r)
{
    vec part[CHAINS] = {{0}};

    for (size_t i = 0; i < r->vectors; i++)
        part[i % CHAINS] += r->v[i];
    return over_lanes(part);
}

static float row_squares(const struct row *r)
{
    vec part[CHAINS] = {{0}};

    for (size_t i = 0; i < r->vectors; i++)
        part[i % CHAINS] += r->v[i] * r->v[i];
    return over_lanes(part);
}
// ANCHOR_END: inner

static void take_off_mean(struct row *r, int cols)
{
    const float mean = row_sum(r) / (float)cols;

    for (size_t i = 0; i < r->vectors; i++)
        r->v[i] -= mean;
    for (size_t i = (size_t)cols; i < r->vectors * WIDTH; i++)
        r->v[i / WIDTH][i % WIDTH] = 0;
}

static void put_fp8(const struct norm_task *t, size_t row, const float *y)
{
    const size_t cols = (size_t)t->cols;
    float top = 0, scale;

    for (size_t i = 0; i < cols; i++)
        top = fabsf(y[i]) > top ? fabsf(y[i]) : top;
    scale = top > 0 ? top / NORM_FP8_MAX : 1;
    for (size_t i = 0; i < cols; i++)
        t->q[row * cols + i] = fp8_round(y[i] / scale);
    t->scale[row] = scale;
}

static void one_row(const struct norm_task *t, size_t row, struct row *r)
{
    const size_t cols = (size_t)t->cols;
    float *v = (float *)r->v, by;

    row_load(t, row, r);
    if (t->bias)
        take_off_mean(r, t->cols);
    by = 1 / sqrtf(row_squares(r) / (float)cols + NORM_EPS);
    for (size_t i = 0; i < cols; i++)
        v[i] *= by * bf16_value(t->w[i]);
    if (t->bias)
        for (size_t i = 0; i < cols; i++)
            v[i] += bf16_value(t->bias[i]);
    if (t->q)
        put_fp8(t, row, v);
    else
        for (size_t i = 0; i < cols; i++)
            t->y[row * cols + i] = bf16_round(v[i]);
}

static void do_rows(void *arg, int part, size_t begin, size_t end)
{
    struct row row;

    (void)part;
    for (size_t r = begin; r < end; r++)
        one_row(arg, r, &row);
}

int norm_c_simd(const struct kernel_case *c, const struct kernel_env *env,
                void *const *buf, void *state)
{
    struct norm_task t = norm_task_of(c, buf);

    (void)state;
    parallel_for(env->threads, (size_t)t.rows, 1, do_rows, &t);
    return 0;
}

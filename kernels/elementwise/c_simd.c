/*
 * elementwise/c_simd - vectors and threads in C.
 *
 * Every operation is a logistic function of some argument (math.cuh has the
 * derivation), and a logistic function is a power of two and a division. The
 * power is a polynomial on [0, 1) whose exponent is then shifted into place,
 * so four elements go side by side without a call. Rows are shared among the
 * cores.
 */
#include "kernels/bf16.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/parallel.h"

enum { WIDTH = 4, GRAIN = 1 };

typedef float vec __attribute__((vector_size(16)));
typedef int32_t ints __attribute__((vector_size(16)));

struct work {
    enum elementwise_op op;
    const uint16_t *a, *b;
    uint16_t *y;
    size_t cols;
};

#define LOG2E 1.44269504f

static vec select(ints mask, vec yes, vec no)
{
    return (vec)((mask & (ints)yes) | (~mask & (ints)no));
}

// ANCHOR: inner
/* 2^x; infinity from 2^128 on, nothing below 2^-126, and NaN stays. The part
 * behind the point is a polynomial (Taylor's to x^6: 2^-16 of the result), the
 * part before it goes into the exponent. */
static vec exp2_of(vec x)
{
    const vec top = {128, 128, 128, 128};
    const vec low = {-126, -126, -126, -126};
    const vec t = select(x > top, top, select(x < low, low, x));
    ints whole = __builtin_convertvector(t, ints);
    whole += __builtin_convertvector(whole, vec) > t; /* true is -1: floor */
    const vec f = (t - __builtin_convertvector(whole, vec)) * 0.69314718f;
    vec p = f * (1.0f / 720) + 1.0f / 120;

    p = p * f + 1.0f / 24;
    p = p * f + 1.0f / 6;
    p = p * f + 0.5f;
    p = p * f + 1;
    p = p * f + 1;
    return p * (vec)((whole + 127) << 23);
}

/* v / (1 + e^-t) */
static vec logistic(vec v, vec t)
{
    return v / (1 + exp2_of(t * -LOG2E));
}

static vec gelu(vec v)
{
    const vec s = v * v;
    vec l = s * 6.572375844845995e-07f - 1.7634821388152316e-05f;

    l = l * s - 0.0006343527209497346f;
    l = l * s + 0.07416542180252864f;
    return logistic(v, (l * s + 1.5945902087963781f) * v);
}
// ANCHOR_END: inner

static vec gelu_tanh(vec v)
{
    const float a = 2 * (float)ELEMENTWISE_TANH;

    return logistic(v, a * v * (1 + (float)ELEMENTWISE_CUBE * (v * v)));
}

static vec drop(vec v, uint32_t i)
{
    for (int k = 0; k < WIDTH; k++)
        v[k] = elementwise_keeps(i + (uint32_t)k) ? v[k] * ELEMENTWISE_KEPT : 0;
    return v;
}

static vec apply(enum elementwise_op op, vec a, vec b, uint32_t i)
{
    switch (op) {
    case ELEMENTWISE_GELU:
        return gelu(a + b);
    case ELEMENTWISE_GELU_TANH:
        return gelu_tanh(a + b);
    case ELEMENTWISE_SWIGLU:
        return logistic(a, a) * b;
    case ELEMENTWISE_DROPOUT:
        break;
    }
    return drop(gelu(a + b), i);
}

/* Up to WIDTH elements; those beyond n are zero. */
static vec load(const uint16_t *p, size_t n)
{
    vec v = {0};

    for (size_t k = 0; k < WIDTH && k < n; k++)
        v[k] = bf16_value(p[k]);
    return v;
}

static void do_rows(void *arg, int part, size_t begin, size_t end)
{
    const struct work *w = arg;

    (void)part;
    for (size_t r = begin; r < end; r++)
        for (size_t j = 0; j < w->cols; j += WIDTH) {
            const size_t i = r * w->cols + j, left = w->cols - j;
            const size_t k = w->op == ELEMENTWISE_SWIGLU ? i : j;
            const vec v = apply(w->op, load(w->a + i, left),
                                load(w->b + k, left), (uint32_t)i);

            for (size_t l = 0; l < WIDTH && l < left; l++)
                w->y[i + l] = bf16_round(v[l]);
        }
}

int elementwise_c_simd(const struct kernel_case *c,
                       const struct kernel_env *env, void *const *buf,
                       void *state)
{
    struct work w = {.op = elementwise_op_of(c), .y = buf[0]};

    (void)state;
    w.a = buf[1];
    w.b = buf[2];
    w.cols = (size_t)kernel_num(c, "cols");
    parallel_for(env->threads, (size_t)kernel_num(c, "rows"), GRAIN, do_rows,
                 &w);
    return 0;
}

/*
 * ceilings/memory_c - the memory sweep in C.
 *
 * Every thread keeps its own share for all passes. The compiler must not see
 * that one pass is enough, so after each pass an empty assembly statement
 * claims to have changed all of memory.
 */
#include "kernels/ceilings/sweep.h"
#include "kernels/parallel.h"

#include <string.h>

enum { WIDTH = 4, CHAINS = 8, STEP = WIDTH * CHAINS, GRAIN = 16 };

typedef float vec __attribute__((vector_size(WIDTH * sizeof(float))));

struct work {
    enum memory_op op;
    int64_t passes;
    float *a;
    const float *b, *c;
    double sum[PARALLEL_MAX]; /* passes are alike: a float's errors would be */
};

static vec load(const float *p)
{
    vec v;

    memcpy(&v, p, sizeof v);
    return v;
}

static float sum_of(const float *b, size_t n)
{
    vec part[CHAINS] = {{0}};
    float sum = 0;
    size_t i = 0;

    for (; i + STEP <= n; i += STEP)
        for (int k = 0; k < CHAINS; k++)
            part[k] += load(b + i + (size_t)k * WIDTH);
    for (; i < n; i++)
        sum += b[i];
    for (int half = CHAINS / 2; half > 0; half /= 2)
        for (int k = 0; k < half; k++)
            part[k] += part[k + half];
    return sum + ((part[0][0] + part[0][1]) + (part[0][2] + part[0][3]));
}

static void triad(const struct work *w, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        w->a[i] = w->b[i] + MEMORY_SCALE * w->c[i];
}

static void do_part(void *arg, int part, size_t begin, size_t end)
{
    struct work *w = arg;

    w->sum[part] = 0;
    for (int64_t pass = 0; pass < w->passes; pass++) {
        switch (w->op) {
        case MEMORY_READ:
            w->sum[part] += (double)sum_of(w->b + begin, end - begin);
            break;
        case MEMORY_WRITE:
            for (size_t i = begin; i < end; i++)
                w->a[i] = (float)(pass + 1);
            break;
        case MEMORY_COPY:
            memcpy(w->a + begin, w->b + begin, (end - begin) * sizeof *w->a);
            break;
        case MEMORY_TRIAD:
            triad(w, begin, end);
            break;
        }
        __asm__ volatile("" ::: "memory");
    }
}

int ceiling_memory_c(const struct kernel_case *c, const struct kernel_env *env,
                     void *const *buf, void *state)
{
    struct work w = {.op = memory_op_of(c), .a = buf[0]};

    (void)state;
    w.passes = kernel_num(c, "passes");
    if (w.op != MEMORY_WRITE)
        w.b = buf[1];
    if (w.op == MEMORY_TRIAD)
        w.c = buf[2];
    const int parts = parallel_for(env->threads, (size_t)kernel_num(c, "n"),
                                   GRAIN, do_part, &w);
    if (w.op == MEMORY_READ) {
        double sum = 0;

        for (int i = 0; i < parts; i++)
            sum += w.sum[i];
        w.a[0] = (float)sum;
    }
    return 0;
}

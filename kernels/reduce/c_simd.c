/*
 * reduce/c_simd - vectors and threads in C.
 *
 * Eight running sums of four floats each, so that an addition need not wait
 * for the one before; and every core takes a share. A running sum goes over
 * 4096 elements, then the 32 are added up and go into a double: the chains
 * stay short, and so does the rounding error, however long the input.
 */
#include "kernels/parallel.h"
#include "kernels/reduce/reduce.h"

#include <string.h>

enum { WIDTH = 4, CHAINS = 8, STEP = WIDTH * CHAINS, PAGE = 4096 };

typedef float vec __attribute__((vector_size(WIDTH * sizeof(float))));

struct work {
    const float *x;
    double sum[PARALLEL_MAX]; /* of each part */
};

// ANCHOR: inner
static float page_sum(const float *x, size_t n)
{
    vec chain[CHAINS] = {{0}}, v;
    float sum = 0;
    size_t i = 0;

    for (; i + STEP <= n; i += STEP)
        for (int k = 0; k < CHAINS; k++) {
            memcpy(&v, x + i + (size_t)k * WIDTH, sizeof v);
            chain[k] += v;
        }
    for (; i < n; i++)
        sum += x[i];
    for (int k = 1; k < CHAINS; k++)
        chain[0] += chain[k];
    return sum + ((chain[0][0] + chain[0][1]) + (chain[0][2] + chain[0][3]));
}
// ANCHOR_END: inner

static void do_part(void *arg, int part, size_t begin, size_t end)
{
    struct work *w = arg;
    double sum = 0;

    for (size_t i = begin; i < end; i += PAGE)
        sum += (double)page_sum(w->x + i, reduce_min(PAGE, end - i));
    w->sum[part] = sum;
}

int reduce_c_simd(const struct kernel_case *c, const struct kernel_env *env,
                  void *const *buf, void *state)
{
    struct work w = {.x = buf[1]};
    const int parts = parallel_for(env->threads, (size_t)kernel_num(c, "n"),
                                   PAGE, do_part, &w);

    (void)state;
    for (int i = 1; i < parts; i++)
        w.sum[0] += w.sum[i];
    *(float *)buf[0] = (float)w.sum[0];
    return 0;
}

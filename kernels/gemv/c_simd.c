/*
 * gemv/c_simd - vectors and threads in C.
 *
 * A word of memory holds two bf16: shifted left by 16 bits it is the first
 * of them as f32, with the lower half cleared the second. So eight vectors
 * of four words serve as many pairs of running sums, and nothing needs to be
 * moved between lanes. A row of weights is used for all tokens while it is
 * in the cache, and every core takes a share of the rows.
 */
#include "kernels/bf16.h"
#include "kernels/kernel.h"
#include "kernels/parallel.h"

#include <string.h>

enum { WIDTH = 8, CHAINS = 4, STEP = WIDTH * CHAINS, GRAIN = 16 };

typedef uint32_t words __attribute__((vector_size(16)));
typedef float vec __attribute__((vector_size(16)));

struct work {
    const uint16_t *x, *w;
    uint16_t *y;
    size_t m, n, k;
};

static vec first(words v)
{
    return (vec)(v << 16);
}

static vec second(words v)
{
    return (vec)(v & 0xffff0000u);
}

// ANCHOR: inner
static float dot(const uint16_t *x, const uint16_t *w, size_t k)
{
    vec even[CHAINS] = {{0}}, odd[CHAINS] = {{0}}, all;
    float sum = 0;
    size_t i = 0;

    for (; i + STEP <= k; i += STEP)
        for (size_t j = 0; j < CHAINS; j++) {
            words a, b;

            memcpy(&a, x + i + j * WIDTH, sizeof a);
            memcpy(&b, w + i + j * WIDTH, sizeof b);
            even[j] += first(a) * first(b);
            odd[j] += second(a) * second(b);
        }
    for (; i < k; i++)
        sum += bf16_value(x[i]) * bf16_value(w[i]);
    all = even[0] + odd[0];
    for (int j = 1; j < CHAINS; j++)
        all += even[j] + odd[j];
    return sum + ((all[0] + all[1]) + (all[2] + all[3]));
}
// ANCHOR_END: inner

static void do_part(void *arg, int part, size_t begin, size_t end)
{
    const struct work *w = arg;

    (void)part;
    for (size_t r = begin; r < end; r++)
        for (size_t t = 0; t < w->m; t++)
            w->y[t * w->n + r] =
                bf16_round(dot(w->x + t * w->k, w->w + r * w->k, w->k));
}

int gemv_c_simd(const struct kernel_case *c, const struct kernel_env *env,
                void *const *buf, void *state)
{
    struct work w = {.x = buf[0], .w = buf[1], .y = buf[2]};

    (void)state;
    w.m = (size_t)kernel_num(c, "m");
    w.n = (size_t)kernel_num(c, "n");
    w.k = (size_t)kernel_num(c, "k");
    parallel_for(env->threads, w.n, GRAIN, do_part, &w);
    return 0;
}

/*
 * ceilings/chain_c - the chain of multiply-adds in C.
 *
 * One chain waits for itself; eight vectors of four side by side do not.
 */
#include "kernels/kernel.h"
#include "kernels/parallel.h"

#include <string.h>

enum { WIDTH = 4, CHAINS = 8, STEP = WIDTH * CHAINS };

typedef float vec __attribute__((vector_size(WIDTH * sizeof(float))));

struct work {
    int64_t k;
    float *y;
    const float *x;
};

static void chains(float *y, const float *x, int64_t k)
{
    vec v[CHAINS];

    memcpy(v, x, sizeof v);
    for (int64_t i = 0; i < k; i++)
        for (int j = 0; j < CHAINS; j++)
            v[j] = v[j] * 0.5f + 0.25f;
    memcpy(y, v, sizeof v);
}

static void do_part(void *arg, int part, size_t begin, size_t end)
{
    const struct work *w = arg;
    size_t i = begin;

    (void)part;
    for (; i + STEP <= end; i += STEP)
        chains(w->y + i, w->x + i, w->k);
    for (; i < end; i++) {
        float v = w->x[i];

        for (int64_t j = 0; j < w->k; j++)
            v = v * 0.5f + 0.25f;
        w->y[i] = v;
    }
}

int ceiling_chain_c(const struct kernel_case *c, const struct kernel_env *env,
                    void *const *buf, void *state)
{
    struct work w = {kernel_num(c, "k"), buf[0], buf[1]};

    (void)state;
    parallel_for(env->threads, (size_t)kernel_num(c, "n"), STEP, do_part, &w);
    return 0;
}

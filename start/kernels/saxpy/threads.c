/*
 * saxpy/threads - the same loop, and every core takes a share.
 *
 * Shares are whole multiples of 4096 elements, so that no two cores write to
 * one cache line.
 */
#include "kernels/parallel.h"
#include "kernels/saxpy/saxpy.h"

enum { GRAIN = 4096 };

struct work {
    float *out;
    const float *x, *y;
};

// ANCHOR: inner
static void do_part(void *arg, int part, size_t begin, size_t end)
{
    const struct work *w = arg;

    (void)part;
    for (size_t i = begin; i < end; i++)
        w->out[i] = SAXPY_A * w->x[i] + w->y[i];
}
// ANCHOR_END: inner

int saxpy_threads(const struct kernel_case *c, const struct kernel_env *env,
                  void *const *buf, void *state)
{
    struct work w = {buf[0], buf[1], buf[2]};

    (void)state;
    parallel_for(env->threads, (size_t)kernel_num(c, "n"), GRAIN, do_part, &w);
    return 0;
}

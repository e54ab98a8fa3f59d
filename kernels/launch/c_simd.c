/*
 * launch/c_simd - the chain in C, with threads: fork and join for each step.
 *
 * Starting threads and waiting for them is to a CPU what a launch is to a GPU.
 * The threads share the vector, and the join is the barrier. For a step of a
 * few microseconds that is a bad bargain, as this variant shows.
 */
#include "kernels/launch/launch.h"
#include "kernels/parallel.h"

enum { GRAIN = 1024 }; /* elements that are worth a thread */

struct work {
    float *to;
    const float *from;
    float x;
    unsigned n, shift;
};

// ANCHOR: inner
static void do_part(void *arg, int part, size_t begin, size_t end)
{
    const struct work *w = arg;

    (void)part;
    for (size_t i = begin; i < end; i++) {
        const size_t j = i + w->shift;

        w->to[i] = w->from[j < w->n ? j : j - w->n] + w->x;
    }
}
// ANCHOR_END: inner

int launch_c_simd(const struct kernel_case *c, const struct kernel_env *env,
                  void *const *buf, void *state)
{
    const struct launch_chain k = launch_chain(c, buf);
    struct work w = {.n = k.n, .shift = k.shift};

    (void)state;
    for (int r = 0; r < k.nodes; r++) {
        w.to = r == k.nodes - 1 ? k.out : k.half[r & 1];
        w.from = r == 0 ? k.v : k.half[(r - 1) & 1];
        w.x = k.x[r];
        parallel_for(env->threads, k.n, GRAIN, do_part, &w);
    }
    return 0;
}

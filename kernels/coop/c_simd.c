/*
 * coop/c_simd - the rounds in C, with threads.
 *
 * Groups are independent, so every core takes a share of them. If the group is
 * the whole grid, one core has all the work.
 */
#include "kernels/coop/rounds.h"
#include "kernels/parallel.h"

static void do_part(void *arg, int part, size_t begin, size_t end)
{
    (void)part;
    for (size_t g = begin; g < end; g++)
        rounds_do(arg, g);
}

int coop_c_simd(const struct kernel_case *c, const struct kernel_env *env,
                void *const *buf, void *state)
{
    struct rounds w = rounds_of(c, buf);
    const size_t n = (size_t)kernel_num(c, "blocks") * COOP_THREADS;

    (void)state;
    // ANCHOR: inner
    parallel_for(env->threads, n / w.span, 1, do_part, &w);
    // ANCHOR_END: inner
    return 0;
}

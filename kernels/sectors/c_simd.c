/*
 * sectors/c_simd - the reads in C, by warps, with threads.
 *
 * The sums of what would be a warp are made side by side, so that reads with
 * neighbouring numbers follow each other, and every core takes a share.
 */
#include "kernels/parallel.h"
#include "kernels/sectors/walk.h"

struct work {
    struct walk walk;
    float *sums;
    const float *x;
};

// ANCHOR: inner
static void do_part(void *arg, int part, size_t begin, size_t end)
{
    const struct work *w = arg;

    (void)part;
    for (size_t t = begin; t < end; t++)
        w->sums[t] = 0;
    for (size_t from = begin; from < end; from += WARP)
        for (size_t k = 0; k < SECTORS_READS; k++)
            for (size_t t = from; t < from + WARP && t < end; t++)
                w->sums[t] +=
                    w->x[walk_element(&w->walk, walk_read(&w->walk, t, k))];
}
// ANCHOR_END: inner

int sectors_c_simd(const struct kernel_case *c, const struct kernel_env *env,
                   void *const *buf, void *state)
{
    struct work w = {.walk = walk_of(c), .sums = buf[0], .x = buf[1]};

    (void)state;
    parallel_for(env->threads, sectors_sums(c), WARP, do_part, &w);
    return 0;
}

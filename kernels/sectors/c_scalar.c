/*
 * sectors/c_scalar - the reads in C, on one thread, in the order of their sums.
 *
 * A CPU fetches lines of 64 bytes, two sectors of a GPU. Its prefetcher follows
 * a stride, but cannot follow random reads.
 */
#include "kernels/sectors/walk.h"

int sectors_c_scalar(const struct kernel_case *c, const struct kernel_env *env,
                     void *const *buf, void *state)
{
    const struct walk w = walk_of(c);
    const float *x = buf[1];
    float *sums = buf[0];

    (void)env;
    (void)state;
    // ANCHOR: inner
    for (size_t t = 0; t < sectors_sums(c); t++) {
        float sum = 0;

        for (size_t k = 0; k < SECTORS_READS; k++)
            sum += x[walk_element(&w, walk_read(&w, t, k))];
        sums[t] = sum;
    }
    // ANCHOR_END: inner
    return 0;
}

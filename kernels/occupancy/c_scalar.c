/*
 * The columns in C, on one thread.
 *
 * Thirty-two sums are open at a time, in turn, so no addition waits for the
 * one before; what is in flight is up to the prefetcher.
 */
#include "kernels/occupancy/occupancy.h"

int occupancy_c_scalar(const struct kernel_case *c,
                       const struct kernel_env *env, void *const *buf,
                       void *state);

int occupancy_c_scalar(const struct kernel_case *c,
                       const struct kernel_env *env, void *const *buf,
                       void *state)
{
    const size_t n = (size_t)kernel_num(c, "n");
    const float *x = buf[1];
    float *sums = buf[0];

    (void)env;
    (void)state;
    for (size_t i = 0; i < occupancy_pieces(n) * OCCUPANCY_LANES; i++)
        sums[i] = 0;
    // ANCHOR: inner
    for (size_t i = 0; i < n; i++) {
        const size_t lane = i / OCCUPANCY_VECTOR % OCCUPANCY_LANES;

        sums[i / OCCUPANCY_PIECE * OCCUPANCY_LANES + lane] += x[i];
    }
    // ANCHOR_END: inner
    return 0;
}

/*
 * occupancy/c_scalar - the columns in C, on one thread.
 *
 * Thirty-two sums are open at a time, in turn, so no addition waits for the one
 * before; the prefetcher decides how many bytes are in flight.
 */
#include "kernels/occupancy/occupancy.h"

int occupancy_c_scalar(const struct kernel_case *c,
                       const struct kernel_env *env, void *const *buf,
                       void *state)
{
    const size_t n = (size_t)kernel_num(c, "n");
    const float *x = buf[1];
    float *sums = buf[0];

    (void)env;
    (void)state;
    for (size_t i = 0; i < occupancy_pieces(n) * WARP; i++)
        sums[i] = 0;
    // ANCHOR: inner
    for (size_t i = 0; i < n; i++) {
        const size_t lane = i / OCCUPANCY_VECTOR % WARP;

        sums[i / OCCUPANCY_PIECE * WARP + lane] += x[i];
    }
    // ANCHOR_END: inner
    return 0;
}

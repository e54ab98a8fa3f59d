/*
 * norm/ahead - the row in registers, and a prefetch of a later row.
 *
 * As in softmax/ahead, the first thread of a row asks the L2 for the row 1.5
 * MiB further on, and for that row of the residual. So memory is read in order
 * and without a pause, and blocks wait for the L2 only.
 *
 * Expected, after trials: one to two per cent, a little less than it brings for
 * softmax, which has more to do between its loads.
 */
#include "kernels/norm/row.cuh"
#include "kernels/trace.cuh"

enum { AHEAD = 3 << 19 /* bytes: 1.5 MiB */ };

extern "C" int norm_ahead(const struct kernel_case *c,
                          const struct kernel_env *env, void *const *buf,
                          void *)
{
    return norm_held_case<AHEAD>(c, env, buf);
}

/*
 * norm/ahead - the row in registers, and a row further on asked for.
 *
 * As softmax/ahead: the first thread of a row asks L2 for the row, and the
 * residual's, that lies 1.5 MiB further on, so that memory is read in order and
 * without a pause, and blocks wait for L2 only.
 *
 * Expected, after trials: one to two per cent, a little less than it brings for
 * softmax, which has more to do between its loads.
 */
#include "kernels/norm/row.cuh"

enum { AHEAD = 3 << 19 /* bytes: 1.5 MiB */ };

extern "C" int norm_ahead(const struct kernel_case *c,
                          const struct kernel_env *env, void *const *buf,
                          void *)
{
    return norm_held_case<AHEAD>(c, env, buf);
}

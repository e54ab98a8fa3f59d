/*
 * norm/registers - the row stays in registers, for every op.
 *
 * A thread loads its 32 elements of the row in vectors of 16 bytes, all at
 * once, and keeps them: the mean, the deviations from it, the result. The
 * variance is that of the definition, from deviations, and still each byte is
 * read once. It adds a residual while it loads, and writes the sum at once.
 *
 * The scale of FP8 needs the greatest |y| of a row, which needs the norm, which
 * needs the whole row: two joins. But 1/sqrt is a factor of the whole row, so
 * the threads can find the greatest |h w| beside the sum of squares, behind the
 * same barrier, and multiply it afterwards. Fusion then costs nothing but its
 * own bytes.
 *
 * Predicted before any run: 85 % for rmsnorm of 8192 columns, and for fp8 the
 * chain's time divided by the ratio of the bytes, 13 to 7.
 *
 * The kernel is in row.cuh, since norm/chain and norm/ahead use it, too.
 */
#include "kernels/norm/row.cuh"

extern "C" int norm_registers(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *)
{
    return norm_held_case<0>(c, env, buf);
}

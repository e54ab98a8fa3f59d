/*
 * launch/c_scalar - the chain in C, on one thread.
 *
 * A step is a loop over the vector, and the next loop begins when it ends:
 * there is nothing to launch and nothing to wait for.
 */
#include "kernels/launch/launch.h"

// ANCHOR: inner
static void step(float *to, const float *from, float x, unsigned n,
                 unsigned shift)
{
    for (unsigned i = 0; i < n - shift; i++)
        to[i] = from[i + shift] + x;
    for (unsigned i = n - shift; i < n; i++)
        to[i] = from[i + shift - n] + x;
}
// ANCHOR_END: inner

int launch_c_scalar(const struct kernel_case *c, const struct kernel_env *env,
                    void *const *buf, void *state)
{
    const struct launch_chain k = launch_chain(c, buf);

    (void)env;
    (void)state;
    for (int r = 0; r < k.nodes; r++)
        step(r == k.nodes - 1 ? k.out : k.half[r & 1],
             r == 0 ? k.v : k.half[(r - 1) & 1], k.x[r], k.n, k.shift);
    return 0;
}

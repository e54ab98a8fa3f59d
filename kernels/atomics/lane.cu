/*
 * atomics/lane - each lane sends its own atomic.
 *
 * Each lane sends its addition as a message to the L2 slice that owns the
 * place. It does not ask for the old value, so no answer comes back (`red`, not
 * `atom`). The slices do the additions. So the time depends on how many slices
 * have work, how many lanes of a warp share a 32-byte sector, and whether they
 * share an address.
 *
 * Predicted before any run: one place is 100 times slower than a million.
 */
#include "kernels/atomics/atomics.cuh"

template <class T>
static __global__ void __launch_bounds__(ATOMICS_THREADS)
    add(T *sums, const void *x, struct atomics_shape s)
{
    // ANCHOR: inner
    atomics_walk<T>(x, s, [&](unsigned place, T value) {
        atomics_red(&sums[place * s.gap], value);
    });
    // ANCHOR_END: inner
}

extern "C" int atomics_lane(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *)
{
    return c->dtype == KERNEL_I32 ? atomics_start(add<int>, c, env, buf, 0)
                                  : atomics_start(add<float>, c, env, buf, 0);
}

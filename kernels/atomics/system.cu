/*
 * atomics/system - atomics of system scope.
 *
 * The scope of an atomic says who may observe it: the block, the GPU, or the
 * system with its CPUs and other GPUs. The memory lies on this GPU in either
 * case, so the same L2 slice can do the work.
 *
 * Predicted before any run: no difference.
 */
#include "kernels/atomics/atomics.cuh"

ATOMICS_FN void red_system(int *at, int value)
{
    asm volatile("red.relaxed.sys.global.add.s32 [%0], %1;" ::"l"(
                     __cvta_generic_to_global(at)),
                 "r"(value)
                 : "memory");
}

static __global__ void __launch_bounds__(ATOMICS_THREADS)
    add(int *sums, const void *x, struct atomics_shape s)
{
    // ANCHOR: inner
    atomics_walk<int>(x, s, [&](unsigned place, int value) {
        red_system(&sums[place * s.gap], value);
    });
    // ANCHOR_END: inner
}

extern "C" int atomics_system(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *)
{
    return atomics_start(add, c, env, buf, 0);
}

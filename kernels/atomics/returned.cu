/*
 * atomics/returned - each atomic returns the old value.
 *
 * The same additions as in `lane`, but each asks for the old value: the answer
 * has to travel back, and a register waits for it. A thread adds up all its
 * answers and stores the sum under a condition that never holds. Without that
 * store the assembler sees that no instruction uses the answers, even of
 * volatile assembly, and turns `atom` into `red`. The first form of this kernel
 * was `lane` under another name.
 *
 * Predicted before any run: at most 1.5 times slower where the places are
 * many, because other warps fill the wait.
 */
#include "kernels/atomics/atomics.cuh"

ATOMICS_FN int fetch_add(int *at, int value)
{
    int old;

    asm volatile("atom.relaxed.gpu.global.add.s32 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(__cvta_generic_to_global(at)), "r"(value)
                 : "memory");
    return old;
}

ATOMICS_FN float fetch_add(float *at, float value)
{
    float old;

    asm volatile("atom.relaxed.gpu.global.add.f32 %0, [%1], %2;"
                 : "=f"(old)
                 : "l"(__cvta_generic_to_global(at)), "f"(value)
                 : "memory");
    return old;
}

template <class T>
static __global__ void __launch_bounds__(ATOMICS_THREADS)
    add(T *sums, const void *x, struct atomics_shape s)
{
    // ANCHOR: inner
    T seen = 0;

    atomics_walk<T>(x, s, [&](unsigned place, T value) {
        seen += fetch_add(&sums[place * s.gap], value);
    });
    if (s.gap == 0) /* never, but who compiles it cannot know */
        sums[0] = seen;
    // ANCHOR_END: inner
}

extern "C" int atomics_returned(const struct kernel_case *c,
                                const struct kernel_env *env, void *const *buf,
                                void *)
{
    return c->dtype == KERNEL_I32 ? atomics_start(add<int>, c, env, buf, 0)
                                  : atomics_start(add<float>, c, env, buf, 0);
}

/*
 * step/ahead - weights are asked for before it is known what they multiply.
 *
 * step/fused waits for the kernel before with sixteen loads of each lane under
 * way, if the compiler leaves them in front of the wait. Weights and old keys
 * are no kernel's output. So a block asks the L2 for the first 8 KB of each of
 * its rows as soon as it comes in, by bulk prefetches that need no register and
 * no thread. Memory then works in the time in which otherwise a kernel ends and
 * the next one begins. With one sequence all blocks on the device together ask
 * for about as much as the L2 holds. With several a block has more rows, and
 * asks for 2 KB of each.
 *
 * Predicts: 2 to 6 % less time than step/fused with one sequence, 3.6 to
 * 3.8 ms; with 32 sequences the difference is less than 2 %.
 */
#include "kernels/step/result.cuh"

// ANCHOR: inner
struct ahead_way {
    static constexpr bool OVERLAP = true, AHEAD = true, FUSED = true;
};
// ANCHOR_END: inner

extern "C" size_t step_ahead_scratch(const struct kernel_case *c,
                                     const struct kernel_env *env)
{
    const struct step_shape s = step_shape(c);

    return chain_bytes(&s, env->sms);
}

extern "C" const char *step_ahead_prepare(const struct kernel_case *c,
                                          const struct kernel_env *env,
                                          void *const *buf, void **state)
{
    return result_graph<ahead_way>(c, env, buf, state);
}

extern "C" int step_ahead(const struct kernel_case *,
                          const struct kernel_env *env, void *const *,
                          void *state)
{
    return result_launch(env, state);
}

extern "C" void step_ahead_release(void *state)
{
    result_free(state);
}

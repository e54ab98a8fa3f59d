/*
 * step/graph - the same kernels as one graph.
 *
 * Arguments and order of 354 kernels are the same in every step, so they are
 * recorded once. A call is then one entry of the queue. The host is free, and
 * the device need not fetch each launch from the host's memory. How the bytes
 * are read does not change.
 *
 * Predicts: 0.2 to 0.4 ms less than step/stream with one sequence: half a
 * microsecond to one microsecond for each kernel, as launch/graph has it. The
 * host needs a few microseconds for a step in place of about a millisecond.
 */
#include "kernels/step/result.cuh"

// ANCHOR: inner
struct graph_way {
    static constexpr bool OVERLAP = false, AHEAD = false, FUSED = false;
};
// ANCHOR_END: inner

extern "C" size_t step_graph_scratch(const struct kernel_case *c,
                                     const struct kernel_env *env)
{
    const struct step_shape s = step_shape(c);

    return chain_bytes(&s, env->sms);
}

extern "C" const char *step_graph_prepare(const struct kernel_case *c,
                                          const struct kernel_env *env,
                                          void *const *buf, void **state)
{
    return result_graph<graph_way>(c, env, buf, state);
}

extern "C" int step_graph(const struct kernel_case *,
                          const struct kernel_env *env, void *const *,
                          void *state)
{
    return result_launch(env, state);
}

extern "C" void step_graph_release(void *state)
{
    result_free(state);
}

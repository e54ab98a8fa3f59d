/*
 * step/pdl - the graph with programmatic dependent launch.
 *
 * Blocks of the next kernel come in while the last blocks of this one still
 * run. They ask for their first weights and then wait for the kernel before,
 * since the vector that they multiply is its output. Every kernel waits before
 * it touches a vector. So all kernels before it have ended by then, however
 * early it came in: what it reads has been written, and what it overwrites has
 * been read.
 *
 * A wait ends when all writes of the kernel before are visible. That flush
 * stays; what goes is the start: to hand out blocks, to set them up, and to
 * fetch their arguments and instructions.
 *
 * Predicts: 0.2 to 0.4 ms less than step/graph with one sequence, about a
 * microsecond for each kernel, and next to nothing with 32 sequences, whose
 * kernels are longer.
 */
#include "kernels/step/result.cuh"

// ANCHOR: inner
struct pdl_way {
    static constexpr bool OVERLAP = true, AHEAD = false, FUSED = false;
};
// ANCHOR_END: inner

extern "C" size_t step_pdl_scratch(const struct kernel_case *c,
                                   const struct kernel_env *env)
{
    const struct step_shape s = step_shape(c);

    return chain_bytes(&s, env->sms);
}

extern "C" const char *step_pdl_prepare(const struct kernel_case *c,
                                        const struct kernel_env *env,
                                        void *const *buf, void **state)
{
    return result_graph<pdl_way>(c, env, buf, state);
}

extern "C" int step_pdl(const struct kernel_case *,
                        const struct kernel_env *env, void *const *,
                        void *state)
{
    return result_launch(env, state);
}

extern "C" void step_pdl_release(void *state)
{
    result_free(state);
}

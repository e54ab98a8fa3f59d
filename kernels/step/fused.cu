/*
 * step/fused - small steps become part of products.
 *
 * A norm reads 8 KB, and needs a kernel of its own for that. Each block of the
 * product behind it can compute it just as well, while its weights are under
 * way. RoPE, append, SiLU and the residual are a few operations on two sums
 * that a lane already holds. So the pairs of rows are chosen for them:
 * neighbours 2i and 2i + 1 for RoPE, row i of gate and of up for SiLU.
 *
 * With one sequence a layer has five kernels in place of eleven. With more, the
 * norms stay: each block would have to read all vectors for them. That makes
 * seven. Sums are not rounded before they are turned, multiplied or added.
 *
 * Predicts: 0.2 to 0.4 ms less than step/pdl with one sequence: 192 kernels of
 * about 1.5 microseconds are gone, and norms in products cost a part of it.
 */
#include "kernels/step/result.cuh"

// ANCHOR: inner
struct fused_way {
    static constexpr bool OVERLAP = true, AHEAD = false, FUSED = true;
};
// ANCHOR_END: inner

extern "C" size_t step_fused_scratch(const struct kernel_case *c,
                                     const struct kernel_env *env)
{
    const struct step_shape s = step_shape(c);

    return chain_bytes(&s, env->sms);
}

extern "C" const char *step_fused_prepare(const struct kernel_case *c,
                                          const struct kernel_env *env,
                                          void *const *buf, void **state)
{
    return result_graph<fused_way>(c, env, buf, state);
}

extern "C" int step_fused(const struct kernel_case *,
                          const struct kernel_env *env, void *const *,
                          void *state)
{
    return result_launch(env, state);
}

extern "C" void step_fused_release(void *state)
{
    result_free(state);
}

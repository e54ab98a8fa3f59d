/*
 * step/capture - a new graph of the whole step for every token.
 *
 * A graph is frozen: grids, pointers and arguments are those of its recording.
 * A server whose batch or lengths change needs another one. The simplest way
 * is to record and instantiate anew for each token, and to launch that once.
 * Kernels are those of step/graph, so the difference is what a new graph costs:
 * on the host to make it, and on the device to take it in.
 *
 * Destroying a graph that is still running is allowed: it is freed when it has
 * ended.
 *
 * Predicts: 0.9 to 1.5 ms of the host for a token. launch/capture needs about
 * 2.7 microseconds for each of 320 kernels; here are 354 with longer arguments.
 */
#include "kernels/step/recorder.cuh"

extern "C" size_t step_capture_scratch(const struct kernel_case *c,
                                       const struct kernel_env *env)
{
    return recorder_bytes(c, env);
}

extern "C" const char *step_capture_prepare(const struct kernel_case *c,
                                            const struct kernel_env *env,
                                            void *const *buf, void **state)
{
    return recorder_prepare(c, env, buf, false, state);
}

// ANCHOR: inner
extern "C" int step_capture(const struct kernel_case *,
                            const struct kernel_env *env, void *const *,
                            void *state)
{
    cudaGraphExec_t exec;
    int rc = recorder_make((struct recorder *)state, env, &exec);

    if (rc)
        return rc;
    rc = cudaGraphLaunch(exec, (cudaStream_t)env->stream);
    cudaGraphExecDestroy(exec);
    return rc;
}
// ANCHOR_END: inner

extern "C" void step_capture_release(void *state)
{
    recorder_release(state);
}

/*
 * step/update - one graph of the whole step, updated before every token.
 *
 * As long as the nodes and edges stay the same, a graph that was instantiated
 * can take the grids and arguments of another that was merely recorded
 * (cudaGraphExecUpdate). Recording is still paid for, instantiating is not. A
 * call that is still running keeps the values it was launched with.
 *
 * Predicts: 0.5 to 0.8 of step/capture's time on the host. For the 320 kernels
 * of launch/update it was 0.64.
 */
#include "kernels/step/recorder.cuh"

extern "C" size_t step_update_scratch(const struct kernel_case *c,
                                      const struct kernel_env *env)
{
    return recorder_bytes(c, env);
}

extern "C" const char *step_update_prepare(const struct kernel_case *c,
                                           const struct kernel_env *env,
                                           void *const *buf, void **state)
{
    return recorder_prepare(c, env, buf, true, state);
}

// ANCHOR: inner
extern "C" int step_update(const struct kernel_case *,
                           const struct kernel_env *env, void *const *,
                           void *state)
{
    struct recorder *const r = (struct recorder *)state;
    cudaGraphExecUpdateResultInfo info;
    cudaGraph_t graph;
    int rc = recorder_graph(r, env, &graph);

    if (rc == 0)
        rc = cudaGraphExecUpdate(r->result.exec, graph, &info);
    if (graph)
        cudaGraphDestroy(graph);
    if (rc)
        return rc;
    return cudaGraphLaunch(r->result.exec, (cudaStream_t)env->stream);
}
// ANCHOR_END: inner

extern "C" void step_update_release(void *state)
{
    recorder_release(state);
}

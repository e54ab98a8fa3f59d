/*
 * launch/update - one graph, updated before every call.
 *
 * As long as the nodes and edges stay the same, a graph that was instantiated
 * can take the grids and arguments of another that was merely recorded
 * (cudaGraphExecUpdate). Recording is still paid for, instantiating is not. A
 * call of it that is still running keeps the values it was launched with.
 *
 * Predicted before any run: less than a third of the capture variant's cost
 * on the host, and no better than the stream's.
 */
#include "kernels/launch/graph.cuh"

extern "C" const char *launch_update_prepare(const struct kernel_case *c,
                                             const struct kernel_env *,
                                             void *const *buf, void **state)
{
    return graph_prepare<false>(c, buf, 1, state);
}

extern "C" void launch_update_release(void *state)
{
    graph_release(state);
}

// ANCHOR: inner
extern "C" int launch_update(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *state)
{
    struct graph_state *s = (struct graph_state *)state;
    const unsigned threads = graph_threads[s->calls++ % GRAPH_SHAPES];
    cudaGraphExecUpdateResultInfo info;
    cudaGraph_t graph;
    int rc = graph_record<false>(s, launch_chain(c, buf), threads, &graph);

    if (rc == 0)
        rc = cudaGraphExecUpdate(s->exec[0], graph, &info);
    if (graph)
        cudaGraphDestroy(graph);
    return rc ? rc
              : (int)cudaGraphLaunch(s->exec[0], (cudaStream_t)env->stream);
}
// ANCHOR_END: inner

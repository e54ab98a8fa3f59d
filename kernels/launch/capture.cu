/*
 * launch/capture - a new graph for every call.
 *
 * A graph is frozen: grids, pointers and arguments are those it was made with.
 * A program whose shapes change, as a batch of requests does, needs another
 * graph. The simplest way is to record and instantiate anew each time. Four
 * grids take turns here, so that no call can use what the one before made.
 *
 * Destroying a graph that is still running is allowed: it is freed when it
 * has ended.
 *
 * Predicted before any run: on the host, dearer than the stream of kernels
 * it replaces, by a factor of about two.
 */
#include "kernels/launch/graph.cuh"

extern "C" const char *launch_capture_prepare(const struct kernel_case *c,
                                              const struct kernel_env *,
                                              void *const *buf, void **state)
{
    return graph_prepare<false>(c, buf, 0, state);
}

extern "C" void launch_capture_release(void *state)
{
    graph_release(state);
}

// ANCHOR: inner
extern "C" int launch_capture(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *state)
{
    struct graph_state *s = (struct graph_state *)state;
    const unsigned threads = graph_threads[s->calls++ % GRAPH_SHAPES];
    cudaGraphExec_t exec;
    int rc = graph_make<false>(s, launch_chain(c, buf), threads, &exec);

    if (rc)
        return rc;
    rc = cudaGraphLaunch(exec, (cudaStream_t)env->stream);
    cudaGraphExecDestroy(exec);
    return rc;
}
// ANCHOR_END: inner

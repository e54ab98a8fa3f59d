/*
 * launch/cached - a graph for each shape, made once.
 *
 * Servers of language models work like this: few shapes can occur, or shapes
 * are rounded up to few, and each has its graph. A call chooses one. The price
 * is memory, and the time to make all graphs at the start.
 *
 * Predicted before any run: on the host the same as one graph, whichever
 * shape comes next.
 */
#include "kernels/launch/graph.cuh"

extern "C" const char *launch_cached_prepare(const struct kernel_case *c,
                                             const struct kernel_env *,
                                             void *const *buf, void **state)
{
    return graph_prepare<false>(c, buf, GRAPH_SHAPES, state);
}

extern "C" void launch_cached_release(void *state)
{
    graph_release(state);
}

// ANCHOR: inner
extern "C" int launch_cached(const struct kernel_case *,
                             const struct kernel_env *env, void *const *,
                             void *state)
{
    struct graph_state *s = (struct graph_state *)state;

    return cudaGraphLaunch(s->exec[s->calls++ % GRAPH_SHAPES],
                           (cudaStream_t)env->stream);
}
// ANCHOR_END: inner

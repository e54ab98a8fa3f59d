/*
 * launch/pdl - the graph with programmatic dependent launch.
 *
 * Between two nodes of a graph the device still waits for the last block of
 * one before it hands out the first of the next. With an edge of the
 * programmatic kind the next kernel's blocks come in early: each kernel says
 * at its start that the next may follow (griddepcontrol.launch_dependents),
 * and waits for the end of the one before only when it is in place
 * (griddepcontrol.wait). What is left of a step is the flush of the writes,
 * the signal, and the work.
 *
 * A block of the next kernel needs room beside those that still run. Here
 * blocks are small and there is room for many; a kernel that fills the
 * registers of an SM leaves none, and gains nothing.
 *
 * Predicted before any run: 0.7-0.9 microseconds a step.
 */
#include "kernels/launch/graph.cuh"
#include "kernels/trace.cuh"

extern "C" const char *launch_pdl_prepare(const struct kernel_case *c,
                                          const struct kernel_env *,
                                          void *const *buf, void **state)
{
    return graph_prepare<true>(c, buf, 1, state);
}

extern "C" void launch_pdl_release(void *state)
{
    graph_release(state);
}

extern "C" int launch_pdl(const struct kernel_case *,
                          const struct kernel_env *env, void *const *,
                          void *state)
{
    const struct graph_state *s = (const struct graph_state *)state;

    return cudaGraphLaunch(s->exec[0], (cudaStream_t)env->stream);
}

/*
 * kernels/launch/graph.cuh - a chain as a graph, made outside of timing.
 *
 * A stream can be recorded instead of run: kernels enqueued between
 * cudaStreamBeginCapture() and cudaStreamEndCapture() become the nodes of a
 * graph. Instantiating makes it an object that the device can be given whole.
 * Recording needs a stream of its own, since the stream that is launched into
 * may be in use.
 *
 * Functions return 0 or a cudaError_t.
 */
#ifndef KERNELS_LAUNCH_GRAPH_CUH
#define KERNELS_LAUNCH_GRAPH_CUH

#include "kernels/launch/launch.cuh"

#include <stdlib.h>

enum { GRAPH_SHAPES = 4 };

/* Threads of a block. All four make the same vectors, in other grids: a
 * program whose shapes change from call to call. */
static const unsigned graph_threads[GRAPH_SHAPES] = {LAUNCH_THREADS, 32, 64,
                                                     256};

/* What a variant keeps from call to call. */
struct graph_state {
    cudaStream_t recorder;
    cudaGraphExec_t exec[GRAPH_SHAPES]; /* NULL where there is none */
    unsigned calls;
};

/* Records the chain in blocks of `threads`. The graph is the caller's. */
template <bool OVERLAP>
static int graph_record(struct graph_state *s, const struct launch_chain &k,
                        unsigned threads, cudaGraph_t *graph)
{
    int rc, end;

    *graph = NULL;
    rc = cudaStreamBeginCapture(s->recorder, cudaStreamCaptureModeThreadLocal);
    if (rc)
        return rc;
    rc = launch_steps<OVERLAP>(k, threads, s->recorder);
    end = cudaStreamEndCapture(s->recorder, graph);
    return rc ? rc : end;
}

/* Records and instantiates. */
template <bool OVERLAP>
static int graph_make(struct graph_state *s, const struct launch_chain &k,
                      unsigned threads, cudaGraphExec_t *exec)
{
    cudaGraph_t graph;
    int rc = graph_record<OVERLAP>(s, k, threads, &graph);

    if (rc == 0)
        rc = cudaGraphInstantiate(exec, graph, 0);
    if (graph)
        cudaGraphDestroy(graph);
    return rc;
}

static void graph_release(void *state)
{
    struct graph_state *s = (struct graph_state *)state;

    for (int i = 0; i < GRAPH_SHAPES; i++)
        if (s->exec[i])
            cudaGraphExecDestroy(s->exec[i]);
    cudaStreamDestroy(s->recorder);
    free(s);
}

/* A recorder, and graphs of the first `shapes` shapes, each already on the
 * device. Returns NULL or why not, as prepare() does. */
template <bool OVERLAP>
static const char *graph_prepare(const struct kernel_case *c, void *const *buf,
                                 int shapes, void **state)
{
    const struct launch_chain k = launch_chain(c, buf);
    struct graph_state *s = (struct graph_state *)calloc(1, sizeof *s);
    int rc;

    if (!s)
        return "out of memory";
    if (cudaStreamCreateWithFlags(&s->recorder, cudaStreamNonBlocking)) {
        free(s);
        return "no stream to record with";
    }
    rc = 0;
    for (int i = 0; i < shapes && rc == 0; i++) {
        rc = graph_make<OVERLAP>(s, k, graph_threads[i], &s->exec[i]);
        if (rc == 0)
            rc = cudaGraphUpload(s->exec[i], s->recorder);
    }
    if (rc == 0)
        rc = cudaStreamSynchronize(s->recorder);
    *state = s;
    if (rc) {
        graph_release(s);
        return "the chain cannot be made into a graph";
    }
    return NULL;
}

#endif

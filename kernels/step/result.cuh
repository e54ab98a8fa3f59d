/*
 * kernels/step/result.cuh - what variants keep from call to call: where their
 * result is (struct kernel_result), and the chain as a graph.
 *
 * A stream can be recorded instead of run; kernels/launch/graph.cuh says how.
 */
#ifndef KERNELS_STEP_RESULT_CUH
#define KERNELS_STEP_RESULT_CUH

#include "kernels/step/audit.h"
#include "kernels/step/chain.cuh"

#include <stdlib.h>
#include <string.h>

struct result {
    struct kernel_result hooks;
    const struct kernel_case *c;
    void *buf[KERNEL_MAX_BUFFERS + 1];
    cudaGraphExec_t exec; /* NULL: the variant has none */
};

static int result_spoil(void *state, const struct kernel_env *env)
{
    const struct result *const r = (const struct result *)state;

    return step_spoil(r->c, r->buf, env->stream);
}

static int result_collect(void *state, const struct kernel_env *env,
                          void *const *buf)
{
    const struct result *const r = (const struct result *)state;

    return step_collect(r->c, buf, env->stream);
}

static struct result *result_new(const struct kernel_case *c, void *const *buf)
{
    struct result *const r = (struct result *)calloc(1, sizeof *r);

    if (!r)
        abort();
    r->hooks.spoil = result_spoil;
    r->hooks.collect = result_collect;
    r->c = c;
    memcpy(r->buf, buf, sizeof r->buf);
    return r;
}

static inline void result_free(void *state)
{
    struct result *const r = (struct result *)state;

    if (r->exec)
        cudaGraphExecDestroy(r->exec);
    free(r);
}

/* Records the chain in a stream of its own. The graph is the caller's. */
template <class WAY>
static int result_record(const struct kernel_case *c,
                         const struct kernel_env *env, void *const *buf,
                         cudaStream_t recorder, cudaGraph_t *graph)
{
    int rc, end;

    *graph = NULL;
    rc = cudaStreamBeginCapture(recorder, cudaStreamCaptureModeThreadLocal);
    if (rc)
        return rc;
    rc = chain_enqueue<WAY>(chain_of(c, env, buf, recorder));
    end = cudaStreamEndCapture(recorder, graph);
    return rc ? rc : end;
}

/* prepare() of a variant whose call is the chain as a graph. */
template <class WAY>
static const char *result_graph(const struct kernel_case *c,
                                const struct kernel_env *env, void *const *buf,
                                void **state)
{
    struct result *const r = result_new(c, buf);
    cudaGraph_t graph = NULL;
    cudaStream_t recorder;
    int rc;

    if (cudaStreamCreateWithFlags(&recorder, cudaStreamNonBlocking)) {
        free(r);
        return "no stream to record with";
    }
    rc = result_record<WAY>(c, env, buf, recorder, &graph);
    if (rc == 0)
        rc = cudaGraphInstantiate(&r->exec, graph, 0);
    if (rc == 0)
        rc = cudaGraphUpload(r->exec, recorder);
    if (rc == 0)
        rc = cudaStreamSynchronize(recorder);
    if (graph)
        cudaGraphDestroy(graph);
    cudaStreamDestroy(recorder);
    *state = r;
    if (rc) {
        result_free(r);
        return "the step cannot be made into a graph";
    }
    return NULL;
}

/* launch() of such a variant. */
static inline int result_launch(const struct kernel_env *env, void *state)
{
    const struct result *const r = (const struct result *)state;

    return cudaGraphLaunch(r->exec, (cudaStream_t)env->stream);
}

#endif

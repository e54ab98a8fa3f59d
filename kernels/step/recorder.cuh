/*
 * kernels/step/recorder.cuh - what step/capture and step/update share: each
 * call of theirs records the kernels of step/graph anew.
 *
 * The private memory of a step exists twice here, and calls take turns. So
 * every kernel has other arguments than in the call before, as in a server
 * whose lengths and pages change with each token. A graph of the last call
 * would not do, and an update has to change every node.
 *
 * Functions return 0 or a cudaError_t.
 */
#ifndef KERNELS_STEP_RECORDER_CUH
#define KERNELS_STEP_RECORDER_CUH

#include "kernels/step/result.cuh"

enum { RECORDER_TURNS = 2 };

/* What these variants keep. Its result.exec is NULL, or what is updated. */
struct recorder {
    struct result result; /* first: the runner calls its hooks */
    cudaStream_t stream;  /* to record with; nothing runs in it */
    unsigned calls;
};

struct recorder_way {
    static constexpr bool OVERLAP = false, AHEAD = false, FUSED = false;
};

/* Bytes of private memory for one turn. */
static inline size_t recorder_turn(const struct step_shape *s, int sms)
{
    return (chain_bytes(s, sms) - step_own_at(s) + 255) / 256 * 256;
}

/* Bytes of scratch memory. */
static inline size_t recorder_bytes(const struct kernel_case *c,
                                    const struct kernel_env *env)
{
    const struct step_shape s = step_shape(c);

    return step_own_at(&s) + RECORDER_TURNS * recorder_turn(&s, env->sms);
}

template <class T> static inline T *recorder_further(T *at, size_t bytes)
{
    return (T *)((char *)at + bytes);
}

/* The step, in the private memory of the next turn. */
static inline struct chain recorder_chain(struct recorder *r,
                                          const struct kernel_env *env)
{
    struct chain x = chain_of(r->result.c, env, r->result.buf, r->stream);
    const size_t far =
        r->calls++ % RECORDER_TURNS * recorder_turn(&x.m.s, x.sms);

    x.values = recorder_further(x.values, far);
    x.weights = recorder_further(x.weights, far);
    x.done = recorder_further(x.done, far);
    x.h = recorder_further(x.h, far);
    x.raw = recorder_further(x.raw, far);
    return x;
}

/* Records a step. The graph is the caller's. */
static inline int recorder_graph(struct recorder *r,
                                 const struct kernel_env *env,
                                 cudaGraph_t *graph)
{
    int rc, end;

    *graph = NULL;
    rc = cudaStreamBeginCapture(r->stream, cudaStreamCaptureModeThreadLocal);
    if (rc)
        return rc;
    rc = chain_enqueue<recorder_way>(recorder_chain(r, env));
    end = cudaStreamEndCapture(r->stream, graph);
    return rc ? rc : end;
}

/* Records and instantiates. */
static inline int recorder_make(struct recorder *r,
                                const struct kernel_env *env,
                                cudaGraphExec_t *exec)
{
    cudaGraph_t graph;
    int rc = recorder_graph(r, env, &graph);

    if (rc == 0)
        rc = cudaGraphInstantiate(exec, graph, 0);
    if (graph)
        cudaGraphDestroy(graph);
    return rc;
}

static inline void recorder_release(void *state)
{
    cudaStreamDestroy(((struct recorder *)state)->stream);
    result_free(state);
}

/* prepare() of both. `makes`: with a graph that is on the device. */
static inline const char *recorder_prepare(const struct kernel_case *c,
                                           const struct kernel_env *env,
                                           void *const *buf, bool makes,
                                           void **state)
{
    struct recorder *const r = (struct recorder *)calloc(1, sizeof *r);
    struct result *const result = result_new(c, buf);
    int rc = 0;

    if (!r)
        abort();
    r->result = *result;
    free(result);
    if (cudaStreamCreateWithFlags(&r->stream, cudaStreamNonBlocking)) {
        free(r);
        return "no stream to record with";
    }
    if (makes) {
        rc = recorder_make(r, env, &r->result.exec);
        if (rc == 0)
            rc = cudaGraphUpload(r->result.exec, r->stream);
        if (rc == 0)
            rc = cudaStreamSynchronize(r->stream);
    }
    *state = r;
    if (rc) {
        recorder_release(r);
        return "the step cannot be made into a graph";
    }
    return NULL;
}

#endif

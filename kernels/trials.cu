/*
 * kernels/trials.cu - a candidate's calls are captured in a graph, and a pair
 * of events times it.
 */
#include "kernels/trials.h"

#include <cuda_runtime.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum {
    CALLS = 8,     /* of a candidate, without a pause: one time */
    ROUNDS = 5,    /* in which each is timed once; odd */
    LOAD_MS = 10,  /* of trials, after which the device rests */
    IDLE_MS = 100, /* which gives the power limiter its budget back */
};

/* After a round, a candidate that took longer than the fastest by more than
 * this factor is out. */
#define FAR_BEHIND 1.2f

struct trials {
    trials_call *call;
    void *ctx;
    int n;
    cudaStream_t stream;
    cudaEvent_t begin, end;
    cudaGraphExec_t calls[TRIALS_MOST]; /* NULL: out */
    float ms[TRIALS_MOST][ROUNDS];
    float load_ms;   /* since the device rested */
    uint64_t random; /* of the order; not 0 */
};

/* The calls of candidate c as a graph. NULL: it does not run. */
static cudaGraphExec_t capture(struct trials *t, int c)
{
    cudaGraphExec_t calls = NULL;
    cudaGraph_t graph = NULL;
    bool ok = t->call(t->ctx, c, 0, t->stream) &&
              cudaStreamSynchronize(t->stream) == cudaSuccess &&
              cudaStreamBeginCapture(
                  t->stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess;

    if (!ok)
        return NULL;
    for (int turn = 0; turn < CALLS && ok; turn++)
        ok = t->call(t->ctx, c, turn, t->stream);
    if (cudaStreamEndCapture(t->stream, &graph) != cudaSuccess || !ok ||
        cudaGraphInstantiate(&calls, graph, 0) != cudaSuccess)
        calls = NULL;
    if (graph != NULL)
        cudaGraphDestroy(graph);
    return calls;
}

static void rest(struct trials *t)
{
    const struct timespec idle = {0, IDLE_MS * 1000000l};

    if (t->load_ms > LOAD_MS) {
        nanosleep(&idle, NULL);
        t->load_ms = 0;
    }
}

/* How long the calls of a candidate take, after one that is not timed. False
 * if they fail. */
static bool trial(struct trials *t, int c, float *ms)
{
    bool ok;

    rest(t);
    ok = t->call(t->ctx, c, -1, t->stream) &&
         cudaEventRecord(t->begin, t->stream) == cudaSuccess &&
         cudaGraphLaunch(t->calls[c], t->stream) == cudaSuccess &&
         cudaEventRecord(t->end, t->stream) == cudaSuccess &&
         cudaEventSynchronize(t->end) == cudaSuccess &&
         cudaEventElapsedTime(ms, t->begin, t->end) == cudaSuccess;
    if (ok)
        t->load_ms += *ms;
    return ok;
}

/* A random order of 0 to n - 1; xorshift64 (Marsaglia, 2003). */
static void shuffle(struct trials *t, int *order)
{
    for (int i = 0; i < t->n; i++) {
        int k;

        t->random ^= t->random << 13;
        t->random ^= t->random >> 7;
        t->random ^= t->random << 17;
        k = (int)(t->random % (unsigned)(i + 1));
        order[i] = order[k];
        order[k] = i;
    }
}

/* Times each candidate that is left once, in a random order. */
static bool try_round(struct trials *t, int round)
{
    int order[TRIALS_MOST];

    shuffle(t, order);
    for (int i = 0; i < t->n; i++) {
        int c = order[i];

        if (t->calls[c] && !trial(t, c, &t->ms[c][round]))
            return false;
    }
    return true;
}

static void drop(struct trials *t, int c)
{
    if (t->calls[c] != NULL)
        cudaGraphExecDestroy(t->calls[c]);
    t->calls[c] = NULL;
}

/* The first round decides who takes part in the others. */
static void drop_slow(struct trials *t)
{
    float best = -1;

    for (int c = 0; c < t->n; c++)
        if (t->calls[c] && (best < 0 || t->ms[c][0] < best))
            best = t->ms[c][0];
    for (int c = 0; c < t->n; c++)
        if (t->calls[c] && t->ms[c][0] > FAR_BEHIND * best)
            drop(t, c);
}

static int by_time(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;

    return (x > y) - (x < y);
}

static int lowest_median(struct trials *t)
{
    int lowest = -1;

    for (int c = 0; c < t->n; c++) {
        qsort(t->ms[c], ROUNDS, sizeof **t->ms, by_time);
        if (t->calls[c] &&
            (lowest < 0 || t->ms[c][ROUNDS / 2] < t->ms[lowest][ROUNDS / 2]))
            lowest = c;
    }
    return lowest;
}

static int try_all(struct trials *t)
{
    for (int c = 0; c < t->n; c++)
        t->calls[c] = capture(t, c);
    for (int round = 0; round < ROUNDS; round++) {
        if (!try_round(t, round))
            return -1;
        if (round == 0)
            drop_slow(t);
    }
    return lowest_median(t);
}

int trials_fastest(trials_call *call, void *ctx, int n, void *stream)
{
    struct trials t = {};
    struct timespec now;
    int found = -1;

    clock_gettime(CLOCK_MONOTONIC, &now);
    t.random = (uint64_t)now.tv_sec << 30 | (uint64_t)now.tv_nsec | 1;
    t.load_ms = 2 * LOAD_MS; /* nobody knows what ran before */
    t.call = call, t.ctx = ctx, t.n = n < TRIALS_MOST ? n : TRIALS_MOST;
    t.stream = (cudaStream_t)stream;
    if (cudaEventCreate(&t.begin) != cudaSuccess)
        return -1;
    if (cudaEventCreate(&t.end) == cudaSuccess) {
        found = try_all(&t);
        cudaEventDestroy(t.end);
    }
    for (int c = 0; c < t.n; c++)
        drop(&t, c);
    cudaEventDestroy(t.begin);
    return found;
}

/*
 * kernels/step/memory.cuh - where a step reads and writes: for each layer, and
 * in the scratch memory that variants share.
 */
#ifndef KERNELS_STEP_MEMORY_CUH
#define KERNELS_STEP_MEMORY_CUH

#include "kernels/step/step.h"

#include <cuda_runtime.h>

/* A layer's memory. A stage reads from `from` what the one before left, and
 * leaves its own in `to`: both are the same memory in a whole step. */
struct step_layer {
    const uint16_t *gain[2], *qkv, *o, *up, *down; /* weights */
    const uint16_t *keys, *values;                 /* the cache */
    const uint16_t *x; /* what the layer begins with */
    struct {
        uint16_t *q, *k, *v, *a, *y, *act, *x;
    } from, to;
};

/* A case's memory. */
struct step_memory {
    struct step_shape s;
    const uint16_t *weights, *input, *k, *v;
    uint16_t *trace;
    double *audit; /* of audit.cu */
    char *own;     /* of the variant */
    int32_t *wrong;
    uint16_t *logits; /* NULL where they are not shown */
};

static inline struct step_memory step_memory(const struct kernel_case *c,
                                             void *const *buf)
{
    struct step_memory m;
    char *scratch;

    m.s = step_shape(c);
    scratch = (char *)step_scratch(&m.s, buf);
    m.wrong = (int32_t *)buf[STEP_WRONG];
    m.weights = (const uint16_t *)buf[STEP_WEIGHTS];
    m.input = (const uint16_t *)buf[STEP_X];
    m.k = (const uint16_t *)buf[STEP_K];
    m.v = (const uint16_t *)buf[STEP_V];
    m.logits = step_shows_logits(&m.s) ? (uint16_t *)buf[STEP_LOGITS] : nullptr;
    m.trace = (uint16_t *)scratch;
    m.audit = (double *)(scratch + step_trace_bytes(&m.s));
    m.own = scratch + step_own_at(&m.s);
    return m;
}

static inline bool step_is_apart(const struct step_memory &m)
{
    return m.s.part & STEP_APART;
}

static inline struct step_layer step_layer_at(const struct step_memory &m,
                                              int layer)
{
    const struct step_places p = step_places(&m.s, layer);
    const struct step_trace t = step_trace(&m.s, layer);
    uint16_t *const from =
        step_is_apart(m) ? const_cast<uint16_t *>(m.input) : m.trace;
    struct step_layer l;

    l.gain[0] = m.weights + p.gain[0];
    l.gain[1] = m.weights + p.gain[1];
    l.qkv = m.weights + p.qkv;
    l.o = m.weights + p.o;
    l.up = m.weights + p.up;
    l.down = m.weights + p.down;
    l.keys = m.k + step_cache_at(&m.s, layer);
    l.values = m.v + step_cache_at(&m.s, layer);
    l.from = {from + t.q, from + t.k,   from + t.v, from + t.a,
              from + t.y, from + t.act, from + t.x};
    l.to = {m.trace + t.q, m.trace + t.k,   m.trace + t.v, m.trace + t.a,
            m.trace + t.y, m.trace + t.act, m.trace + t.x};
    l.x = step_is_apart(m) ? l.from.x
          : layer == 0     ? m.input
                           : m.trace + step_trace(&m.s, layer - 1).x;
    return l;
}

/* What W_vocab multiplies, and the gains before it. */
static inline const uint16_t *step_last_x(const struct step_memory &m)
{
    const uint16_t *const from = step_is_apart(m) ? m.input : m.trace;

    return m.s.layers ? from + step_trace(&m.s, m.s.layers - 1).x : m.input;
}

static inline const uint16_t *step_last_gain(const struct step_memory &m)
{
    return m.weights + step_places(&m.s, m.s.layers).gain[0];
}

#endif

/*
 * kernels/step/step.h - what all variants of `step` agree on: one decode step
 * of a model with the shape of Llama. Each of b sequences has l - 1 tokens in
 * the cache and gets one more, at position l - 1.
 *
 * A layer, where norm(x) = x / rms(x) * gains * step_shrink():
 *
 *     q, k, v = W_qkv norm(x)      q and k turned by the position (RoPE, base
 *                                  500000, neighbours 2i and 2i + 1 a pair)
 *     a       = softmax(q K' / sqrt(128)) V   K, V: the cache, and k, v
 *     y       = x + W_o a
 *     act     = silu(W_gate norm(y)) * W_up norm(y)
 *     x       = y + W_down act
 *
 * and at the end logits = W_vocab norm(x). Gains and weights are drawn from
 * [-1, 1), so step_shrink() is what a real model has in the size of its gains:
 * with it queries, keys and gates have about the size of what is in the cache.
 * All that is stored is bf16, and sums are f32.
 *
 * Buffers: 0: wrong (out)   1: weights   2: x   3: k   4: v   5: scratch,
 * and where step_shows_logits() logits (out) stand between v and scratch.
 *
 * Results lie in scratch, as in memory that a library owns: a struct step_trace
 * has what each stage of each layer left. Before a check step_collect() of
 * audit.cu computes each stage anew in fp64, from what the variant left of the
 * stage before, compares all elements, and writes to `wrong` how many differ by
 * more than rounding may. So errors do not add up from layer to layer, and a
 * fault is found in the layer that has it.
 *
 * The cache holds l - 1 keys in a row for each head: k[layer][sequence][head].
 * Inputs must not change, so a step appends its key and its value to a page of
 * their own, as a paged cache does when a page is full.
 *
 * part=whole is a step. The other parts do one stage of all layers and nothing
 * else; input x is then a whole trace, drawn at random, and stages read what
 * they need of it. part=stages does all of these, one after the other.
 */
#ifndef KERNELS_STEP_STEP_H
#define KERNELS_STEP_STEP_H

#include <math.h>
#include <string.h>

#include "kernels/kernel.h"

enum {
    STEP_WRONG, /* buffer numbers */
    STEP_WEIGHTS,
    STEP_X,
    STEP_K,
    STEP_V,
    STEP_LOGITS,

    STEP_DEEP = 128, /* elements of a head */
    STEP_MOST = 32,  /* sequences */
    STEP_STAGES = 5, /* of a layer that are checked: step_stage */
};

/* What a call does; or-ed together. */
enum step_part {
    STEP_QKV = 1,
    STEP_ATTEND = 2,
    STEP_O = 4,
    STEP_UP = 8,
    STEP_DOWN = 16,
    STEP_VOCAB = 32,
    STEP_EVERY = 63,
    STEP_APART = 64, /* inputs of stages are drawn */
};

struct step_shape {
    int b, l, layers, hidden, vocab;
    int heads, kv, qkv, ffn; /* these follow from hidden */
    unsigned part;           /* enum step_part */
    float shrink;
};

static inline unsigned step_part_of(const char *word)
{
    static const struct {
        const char *word;
        unsigned part;
    } parts[] = {
        {"whole", STEP_EVERY},
        {"stages", STEP_EVERY | STEP_APART},
        {"qkv", STEP_QKV | STEP_APART},
        {"attention", STEP_ATTEND | STEP_APART},
        {"o", STEP_O | STEP_APART},
        {"up", STEP_UP | STEP_APART},
        {"down", STEP_DOWN | STEP_APART},
        {"vocabulary", STEP_VOCAB | STEP_APART},
    };

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strcmp(parts[i].word, word) == 0)
            return parts[i].part;
    return 0;
}

/* 2 / sqrt(hidden), or up to twice that: a power of two. */
static inline float step_shrink(int hidden)
{
    float s = 1;

    while (s * s * (float)hidden > 4)
        s /= 2;
    return s;
}

static inline struct step_shape step_shape(const struct kernel_case *c)
{
    struct step_shape s;

    s.b = (int)kernel_num(c, "b");
    s.l = (int)kernel_num(c, "l");
    s.layers = (int)kernel_num(c, "layers");
    s.hidden = (int)kernel_num(c, "hidden");
    s.vocab = (int)kernel_num(c, "vocab");
    s.heads = s.hidden / STEP_DEEP;
    s.kv = s.heads < 4 ? 1 : s.heads / 4;
    s.qkv = (s.heads + 2 * s.kv) * STEP_DEEP;
    s.ffn = s.hidden / 2 * 7;
    s.part = step_part_of(kernel_word(c, "part"));
    s.shrink = step_shrink(s.hidden);
    return s;
}

/* ---- weights ---- */

/* Elements of a layer: W_qkv, W_o, W_gate, W_up, W_down, each row by row. */
static inline size_t step_layer_weights(const struct step_shape *s)
{
    return (size_t)s->hidden *
           ((size_t)s->qkv + (size_t)s->hidden + 3 * (size_t)s->ffn);
}

/* Where things begin in the weights, in elements. Gains come first: two rows
 * for each layer, and the last. W_vocab stands at the end. */
struct step_places {
    size_t gain[2], qkv, o, up, down; /* up: gate's rows, then up's */
};

static inline struct step_places step_places(const struct step_shape *s,
                                             int layer)
{
    const size_t h = (size_t)s->hidden, f = (size_t)s->ffn;
    const size_t first =
        (2 * (size_t)s->layers + 1) * h + (size_t)layer * step_layer_weights(s);
    struct step_places p;

    p.gain[0] = 2 * (size_t)layer * h;
    p.gain[1] = p.gain[0] + h;
    p.qkv = first;
    p.o = p.qkv + (size_t)s->qkv * h;
    p.up = p.o + h * h;
    p.down = p.up + 2 * f * h;
    return p;
}

static inline size_t step_vocab_at(const struct step_shape *s)
{
    return step_places(s, s->layers).qkv;
}

static inline size_t step_weights(const struct step_shape *s)
{
    return step_vocab_at(s) + (size_t)s->vocab * (size_t)s->hidden;
}

/* ---- what a step leaves ---- */

/*
 * For each layer q[b][heads][128], then the page: k and v[b][kv][128], the
 * output of attention a[b][heads][128], y[b][hidden], act[b][ffn] and
 * x[b][hidden]. Behind the last layer logits[b][vocab].
 */
struct step_trace {
    size_t q, k, v, a, y, act, x; /* where they begin, in elements */
};

static inline size_t step_trace_layer(const struct step_shape *s)
{
    return (size_t)s->b *
           ((size_t)s->qkv + 3 * (size_t)s->hidden + (size_t)s->ffn);
}

static inline struct step_trace step_trace(const struct step_shape *s,
                                           int layer)
{
    const size_t b = (size_t)s->b, h = b * (size_t)s->hidden;
    const size_t page = b * (size_t)s->kv * STEP_DEEP;
    struct step_trace t;

    t.q = (size_t)layer * step_trace_layer(s);
    t.k = t.q + h;
    t.v = t.k + page;
    t.a = t.v + page;
    t.y = t.a + h;
    t.act = t.y + h;
    t.x = t.act + b * (size_t)s->ffn;
    return t;
}

static inline size_t step_logits_at(const struct step_shape *s)
{
    return (size_t)s->layers * step_trace_layer(s);
}

static inline size_t step_trace_elements(const struct step_shape *s)
{
    return step_logits_at(s) + (size_t)s->b * (size_t)s->vocab;
}

/* Elements of a head's keys in the cache, and of all keys. */
static inline size_t step_row(const struct step_shape *s)
{
    return (size_t)(s->l - 1) * STEP_DEEP;
}

static inline size_t step_cache(const struct step_shape *s)
{
    return (size_t)s->layers * (size_t)s->b * (size_t)s->kv * step_row(s);
}

/* Where a layer's keys begin. */
static inline size_t step_cache_at(const struct step_shape *s, int layer)
{
    return (size_t)layer * (size_t)s->b * (size_t)s->kv * step_row(s);
}

/* ---- what is checked ---- */

enum step_stage {
    STEP_IS_QKV,
    STEP_IS_A,
    STEP_IS_Y,
    STEP_IS_ACT,
    STEP_IS_X,
};

/* Counts of wrong elements: for each stage of each layer, and at the end for
 * the logits, one for each sequence. */
static inline size_t step_counts(const struct step_shape *s)
{
    return ((size_t)s->layers * STEP_STAGES + 1) * (size_t)s->b;
}

/* Small cases have their logits compared with a reference on the host, too:
 * that proves what step_collect() takes for right. */
static inline bool step_shows_logits(const struct step_shape *s)
{
    return s->part == STEP_EVERY && step_weights(s) * (size_t)s->b < (size_t)1
                                                                         << 25;
}

/* ---- scratch memory ---- */

/* Bytes: the trace; room for step_collect(), and for variants. */
static inline size_t step_trace_bytes(const struct step_shape *s)
{
    return (step_trace_elements(s) * 2 + 255) / 256 * 256;
}

/* A vector for each sequence in fp64, and its length. */
static inline size_t step_audit_bytes(const struct step_shape *s)
{
    return (size_t)s->b * ((size_t)s->ffn + 1) * sizeof(double);
}

static inline size_t step_own_at(const struct step_shape *s)
{
    return (step_trace_bytes(s) + step_audit_bytes(s) + 255) / 256 * 256;
}

static inline void *step_scratch(const struct step_shape *s, void *const *buf)
{
    return buf[step_shows_logits(s) ? STEP_LOGITS + 1 : STEP_LOGITS];
}

#endif

#include "kernels/step/reference.h"

#include <pthread.h>
#include <stdlib.h>

#include "kernels/input.h"

static const double ROUNDING = 0x1p-8 / 1.7320508;

/* A number, and the square of its deviation. */
struct number {
    double is, off;
};

/* What the chain of one sequence needs. */
struct chain {
    const struct step_shape *s;
    uint64_t seed;
    int token;
    struct number *x, *h, *qkv, *a, *raw, *act;
};

static double square(double v)
{
    return v * v;
}

static struct number rounded(struct number n)
{
    n.off += square(n.is * ROUNDING);
    return n;
}

static double drawn(const struct chain *c, unsigned buffer, size_t i)
{
    return (double)input_real(KERNEL_BF16, c->seed, buffer, i);
}

/* h = norm(x) with the gains at `gain` of the weights. All elements have the
 * error of the root in common. */
static void norm(const struct chain *c, size_t gain)
{
    const int n = c->s->hidden;
    double sum = 0, error = 0;

    for (int i = 0; i < n; i++) {
        sum += square(c->x[i].is);
        error += square(c->x[i].is) * c->x[i].off;
    }

    const double by = (double)c->s->shrink / sqrt(sum / n + 1e-5);

    for (int i = 0; i < n; i++) {
        const double of = by * drawn(c, STEP_WEIGHTS, gain + (size_t)i);

        c->h[i].is = c->x[i].is * of;
        c->h[i].off =
            c->x[i].off * square(of) + square(c->h[i].is / sum) * error;
        c->h[i] = rounded(c->h[i]);
    }
}

/* Row `row` of the matrix at `w`, times x. */
static struct number product(const struct chain *c, size_t w, int row,
                             const struct number *x, int k)
{
    struct number y = {0, 0};

    for (int i = 0; i < k; i++) {
        const double e =
            drawn(c, STEP_WEIGHTS, w + (size_t)row * (size_t)k + (size_t)i);

        y.is += e * x[i].is;
        y.off += e * e * x[i].off;
    }
    return rounded(y);
}

/* Turns queries and keys by the position. */
static void turn(const struct chain *c)
{
    const int heads = c->s->heads + c->s->kv;

    for (int i = 0; i < heads * STEP_DEEP; i += 2) {
        const double angle =
            (c->s->l - 1) / pow(500000, i % STEP_DEEP / (double)STEP_DEEP);
        const double sine = sin(angle), cosine = cos(angle);
        const struct number a = c->qkv[i], b = c->qkv[i + 1];

        c->qkv[i].is = a.is * cosine - b.is * sine;
        c->qkv[i].off = a.off * square(cosine) + b.off * square(sine);
        c->qkv[i + 1].is = a.is * sine + b.is * cosine;
        c->qkv[i + 1].off = a.off * square(sine) + b.off * square(cosine);
        c->qkv[i] = rounded(c->qkv[i]);
        c->qkv[i + 1] = rounded(c->qkv[i + 1]);
    }
}

/* Element e of key or value `key` of a head; the newest is at `page`. */
static struct number element(const struct chain *c, unsigned buffer, int layer,
                             int head, int key, int e,
                             const struct number *page)
{
    const struct step_shape *const s = c->s;
    const size_t row = (size_t)c->token * (size_t)s->kv + (size_t)head;

    if (key == s->l - 1)
        return page[head * STEP_DEEP + e];

    const size_t at = step_cache_at(s, layer) + row * step_row(s) +
                      (size_t)key * STEP_DEEP + (size_t)e;
    const struct number n = {drawn(c, buffer, at), 0};

    return n;
}

/* The weights of head `of`, not yet divided by their sum, and the deviation of
 * each as a share of it. Returns the sum. */
static double weigh(const struct chain *c, int layer, int of,
                    struct number *weight)
{
    const struct step_shape *const s = c->s;
    const int head = of / (s->heads / s->kv);
    const struct number *const q = c->qkv + of * STEP_DEEP;
    const struct number *const page = c->qkv + s->heads * STEP_DEEP;
    double sum = 0;

    for (int j = 0; j < s->l; j++) {
        struct number score = {0, 0};

        for (int e = 0; e < STEP_DEEP; e++) {
            const struct number k = element(c, STEP_K, layer, head, j, e, page);

            score.is += q[e].is * k.is;
            score.off += square(q[e].is) * k.off + square(k.is) * q[e].off;
        }
        weight[j].is = exp(score.is / sqrt(STEP_DEEP));
        weight[j].off = score.off / STEP_DEEP + square(ROUNDING);
        sum += weight[j].is;
    }
    return sum;
}

/* The output of head `of`, from its weights. */
static void attend(const struct chain *c, int layer, int of,
                   const struct number *weight, double sum)
{
    const struct step_shape *const s = c->s;
    const int head = of / (s->heads / s->kv);
    const struct number *const page = c->qkv + (s->heads + s->kv) * STEP_DEEP;

    for (int e = 0; e < STEP_DEEP; e++) {
        struct number o = {0, 0};

        for (int j = 0; j < s->l; j++) {
            const struct number v = element(c, STEP_V, layer, head, j, e, page);
            const double p = weight[j].is / sum;

            o.is += p * v.is;
            o.off += square(p) * v.off + square(p * v.is) * weight[j].off;
        }
        c->a[of * STEP_DEEP + e] = rounded(o);
    }
}

static void add(const struct chain *c, size_t w, const struct number *y, int k)
{
    for (int i = 0; i < c->s->hidden; i++) {
        const struct number p = product(c, w, i, y, k);

        c->raw[i].is = c->x[i].is + p.is;
        c->raw[i].off = c->x[i].off + p.off;
        c->raw[i] = rounded(c->raw[i]);
    }
    memcpy(c->x, c->raw, (size_t)c->s->hidden * sizeof *c->x);
}

static struct number gated(struct number gate, struct number up)
{
    const double by = 1 / (1 + exp(-gate.is)), silu = gate.is * by;
    const double slope = by + silu * (1 - by);
    struct number n = {silu * up.is, 0};

    n.off = square(slope * up.is) * gate.off + square(silu) * up.off;
    return rounded(rounded(n));
}

static void layer_of(const struct chain *c, int layer, struct number *weight)
{
    const struct step_shape *const s = c->s;
    const struct step_places p = step_places(s, layer);

    norm(c, p.gain[0]);
    for (int i = 0; i < s->qkv; i++)
        c->qkv[i] = product(c, p.qkv, i, c->h, s->hidden);
    turn(c);
    for (int of = 0; of < s->heads; of++)
        attend(c, layer, of, weight, weigh(c, layer, of, weight));
    add(c, p.o, c->a, s->hidden);
    norm(c, p.gain[1]);
    for (int i = 0; i < s->ffn; i++)
        c->act[i] = gated(product(c, p.up, i, c->h, s->hidden),
                          product(c, p.up, i + s->ffn, c->h, s->hidden));
    add(c, p.down, c->act, s->ffn);
}

static struct number *numbers(int n)
{
    struct number *const p = calloc((size_t)n, sizeof *p);

    if (!p)
        abort();
    return p;
}

static void sequence(const struct step_shape *s, uint64_t seed, int token,
                     struct step_logits *to)
{
    const struct chain c = {s,
                            seed,
                            token,
                            numbers(s->hidden),
                            numbers(s->hidden),
                            numbers(s->qkv),
                            numbers(s->hidden),
                            numbers(s->hidden),
                            numbers(s->ffn)};
    struct number *const weight = numbers(s->l);

    for (int i = 0; i < s->hidden; i++)
        c.x[i].is =
            drawn(&c, STEP_X, (size_t)token * (size_t)s->hidden + (size_t)i);
    for (int layer = 0; layer < s->layers; layer++)
        layer_of(&c, layer, weight);
    norm(&c, step_places(s, s->layers).gain[0]);
    for (int i = 0; i < s->vocab; i++) {
        const struct number y =
            product(&c, step_vocab_at(s), i, c.h, s->hidden);

        to[i].value = y.is;
        to[i].deviation = sqrt(y.off);
    }
    free(weight);
    free(c.act);
    free(c.raw);
    free(c.a);
    free(c.qkv);
    free(c.h);
    free(c.x);
}

/* Shapes and seeds that have been asked for. */
struct known {
    struct known *next;
    struct step_shape s;
    uint64_t seed;
    struct step_logits logits[];
};

static struct known *make(const struct step_shape *s, uint64_t seed)
{
    const size_t vocab = (size_t)s->vocab, n = (size_t)s->b * vocab;
    struct known *const k = calloc(1, sizeof *k + n * sizeof k->logits[0]);

    if (!k)
        abort();
    k->s = *s;
    k->seed = seed;
    for (int token = 0; token < s->b; token++)
        sequence(s, seed, token, k->logits + (size_t)token * vocab);
    return k;
}

static bool is_same(const struct step_shape *a, const struct step_shape *b)
{
    return a->b == b->b && a->l == b->l && a->layers == b->layers &&
           a->hidden == b->hidden && a->vocab == b->vocab && a->part == b->part;
}

const struct step_logits *step_logits_of(const struct step_shape *s,
                                         uint64_t seed)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct known *all;
    struct known *k;

    pthread_mutex_lock(&lock);
    for (k = all; k && !(k->seed == seed && is_same(&k->s, s)); k = k->next)
        ;
    if (!k) {
        k = make(s, seed);
        k->next = all;
        all = k;
    }
    pthread_mutex_unlock(&lock);
    return k->logits;
}

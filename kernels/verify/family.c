/*
 * kernels/verify/family.c - attention of a draft: 1 to 8 new tokens of each
 * sequence of a batch look at a cache of keys and values at once, as they do
 * when speculative decoding verifies what it has guessed. For each head of each
 * new token
 *
 *     o = softmax(scale q K') V
 *
 * where K and V have a row of 128 elements for each key that the token sees,
 * and K' is K transposed: all keys before the draft, and of the draft's own
 * keys those of the token and of its ancestors. Everything is bf16.
 *
 * How to add a variant: put a file beside this one, its functions among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include "kernels/declare.h"
#include "kernels/made.h"
#include "kernels/product.h"
#include "kernels/verify/verify.h"

#include <pthread.h>
#include <stdlib.h>

/* ---- buffers ---- */

/* What kernels are told of a case, made once: buffers point to it. */
struct told {
    struct told *next;
    int64_t shape;
    int tokens;
    const char *mask;
    int32_t is[];
};

static struct told *tell(const struct kernel_case *c)
{
    const struct cache_shape s = verify_shape(c);
    struct told *const t = malloc(sizeof *t + verify_marks(c) * sizeof *t->is);
    int32_t *to;

    if (t == NULL)
        abort();
    t->shape = cache_packed(&s);
    t->tokens = verify_num(c, "tokens");
    t->mask = kernel_word(c, "mask");
    to = t->is;
    for (int i = 0; i < s.b; i++)
        *to++ = cache_length(&s, i);
    for (int i = 0; i < s.b * t->tokens; i++)
        *to++ = (int32_t)verify_sees(c, i / t->tokens, i % t->tokens);
    return t;
}

static bool is_told(const struct told *t, const struct kernel_case *c)
{
    const struct cache_shape s = verify_shape(c);

    return t->shape == cache_packed(&s) &&
           t->tokens == verify_num(c, "tokens") &&
           strcmp(t->mask, kernel_word(c, "mask")) == 0;
}

static const int32_t *told_of(const struct kernel_case *c)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct told *all;
    struct told *t;

    pthread_mutex_lock(&lock);
    for (t = all; t != NULL && !is_told(t, c);)
        t = t->next;
    if (t == NULL) {
        t = tell(c);
        t->next = all;
        all = t;
    }
    pthread_mutex_unlock(&lock);
    return t->is;
}

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    const struct cache_shape s = verify_shape(c);

    b[VERIFY_Q] = kernel_probes("q", &s);
    b[VERIFY_K] = kernel_cache("k", &s);
    b[VERIFY_V] = kernel_cache("v", &s);
    b[VERIFY_O] = kernel_out("o", KERNEL_BF16, b[VERIFY_Q].count);
    b[VERIFY_WHERE] = kernel_made("where", told_of(c), verify_marks(c));
    return VERIFY_WHERE + 1;
}

/* Two products for each head of each token and each key that it sees: 128
 * multiplications and additions each. Powers and sums of the softmax are not
 * counted. Keys and values cross the bus once for all tokens. */
static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const struct cache_shape s = verify_shape(c);
    const int64_t heads = kernel_num(c, "heads");
    const int tokens = verify_num(c, "tokens");
    const int64_t elements = (int64_t)s.b * s.heads * CACHE_DEEP;
    int64_t keys = 0, seen = 0;

    for (int i = 0; i < s.b; i++) {
        const int length = cache_length(&s, i);
        const int old = length > tokens ? length - tokens : 0;

        keys += length;
        for (int t = 0; t < tokens; t++)
            seen += old + __builtin_popcount(verify_sees(c, i, t) >>
                                             (old + tokens - length));
    }
    m->flop = 4 * heads * CACHE_DEEP * seen;
    m->bytes_read = 4 * s.kv * CACHE_DEEP * keys + 2 * elements +
                    4 * (int64_t)verify_marks(c);
    m->bytes_written = 2 * elements;
    m->formula = "4 heads 128 FLOP for each key that a token sees; 2 B read "
                 "per element of the keys and values that there are and of Q, "
                 "4 B per length and per new token, 2 B written per element of "
                 "O";
    m->unit = "bf16";
    m->level = "hbm";
}

/* ---- the reference ---- */

static const double U = 0x1p-8; /* rounding to bf16, which has 8 bits */

enum { STEP = 16, BITS = 22 }; /* a tensor core's sums: kernels/product.h */

/* The softmax of a query: which keys it sees, where they lie, what they weigh,
 * and the largest |q| |k|. */
struct weights {
    double *p;
    size_t *at;
    int keys;
    double most;
};

static double element(uint64_t seed, unsigned buffer, size_t i)
{
    return (double)input_real(KERNEL_BF16, seed, buffer, i);
}

/* The keys that query n sees. */
static void look(const struct kernel_case *c, size_t n, struct weights *w)
{
    const struct cache_shape s = verify_shape(c);
    const int sequence = (int)(n / (size_t)s.heads);
    const int of_sequence = (int)(n % (size_t)s.heads);
    const int group = s.heads / s.kv; /* queries of the same keys */
    const int tokens = verify_num(c, "tokens");
    const int token = of_sequence % group / (group / tokens);
    const int keys = cache_length(&s, sequence), old = keys - tokens;
    const uint32_t bits = verify_sees(c, sequence, token);

    w->keys = 0;
    for (int j = 0; j < keys; j++)
        if (j < old || (bits >> (j - old) & 1))
            w->at[w->keys++] = cache_at(&s, sequence, of_sequence / group, j);
}

static void weigh(const struct kernel_case *c, uint64_t seed, size_t n,
                  struct weights *w)
{
    const struct cache_shape s = verify_shape(c);
    const double scale = (double)verify_scale();
    double q[CACHE_DEEP], size = 0, top = -INFINITY, sum = 0;

    look(c, n, w);
    for (size_t e = 0; e < CACHE_DEEP; e++) {
        q[e] = (double)cache_query(&s, seed, VERIFY_Q, n * CACHE_DEEP + e);
        size += q[e] * q[e];
    }
    w->most = 0;
    for (int j = 0; j < w->keys; j++) {
        double score = 0, squares = 0;

        for (size_t e = 0; e < CACHE_DEEP; e++) {
            const double k = element(seed, VERIFY_K, w->at[j] + e);

            score += q[e] * k;
            squares += k * k;
        }
        w->p[j] = scale * score;
        w->most = fmax(w->most, sqrt(size * squares));
        top = fmax(top, w->p[j]);
    }
    for (int j = 0; j < w->keys; j++)
        sum += w->p[j] = exp(w->p[j] - top);
    for (int j = 0; j < w->keys; j++)
        w->p[j] /= sum;
}

/* The error of a weight, as a share of it: see tolerance(). */
static double off_by(const struct weights *w)
{
    return (double)verify_scale() * w->most *
               (product_cuts(CACHE_DEEP, CACHE_DEEP, STEP, BITS) +
                4 * 0x1p-24) +
           12 * 0x1p-22 + (double)w->keys / 16 * 0x1p-23;
}

static void output(uint64_t seed, const struct weights *w, size_t e,
                   double *value, double *magnitude)
{
    const size_t keys = (size_t)w->keys;
    double sum = 0, size = 0, squares = 0;

    for (size_t j = 0; j < keys; j++) {
        const double term = w->p[j] * element(seed, VERIFY_V, w->at[j] + e);

        sum += term;
        size += fabs(term);
        squares += term * term;
    }
    *value = sum;
    *magnitude = fabs(sum) + fmin(3.5 * sqrt(squares), size) +
                 (2 * off_by(w) * size + product_cuts(keys, keys, STEP, BITS) *
                                             fmin(5 * sqrt(squares), size)) /
                     U;
}

/* Outputs of one query come together, so its weights are computed once. */
static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t count, double *value,
                   double *magnitude)
{
    const size_t l = (size_t)kernel_num(c, "l");
    struct weights w = {malloc(l * sizeof *w.p), malloc(l * sizeof *w.at), 0,
                        0};
    size_t known = SIZE_MAX;

    if (w.p == NULL || w.at == NULL)
        abort();
    for (size_t n = 0; n < count; n++) {
        if (idx[n] / CACHE_DEEP != known)
            weigh(c, seed, known = idx[n] / CACHE_DEEP, &w);
        output(seed, &w, idx[n] % CACHE_DEEP, &value[n], &magnitude[n]);
    }
    free(w.at);
    free(w.p);
}

/* Keys of a query. The 128 products of each are computed once for 64 outputs.
 */
static size_t terms(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "l");
}

/*
 * Let p be the weights of a query, u = 2^-8 the rounding to bf16, and
 *
 *     R = root of the sum of (p v)^2,  S = sum of |p v|,  |o| <= S.
 *
 * The derivation is that of kernels/decode/family.c: the output is rounded
 * once, u |o|. Tensor cores take weights in bf16, and 3.5 u R is six deviations
 * of the sum of these roundings, which is never more than u S. What tensor
 * cores cut off a score changes its weight by a share e of itself, and the sum
 * of all weights the other way: 2 e S. The powers, sums and joins of a softmax
 * in f32 are part of e. Sums over the keys are cut off like any product's. A
 * key that a token does not see is no part of any of them.
 */
static double tolerance(const struct kernel_case *c, const char **why)
{
    (void)c;
    *why = "2^-8 of |o| for its rounding to bf16 and of 3.5 R for that of the "
           "weights, where R is the root of the sum of (p v)^2; what rounding "
           "of scores and sums in f32 adds to weights";
    return U;
}

/* ---- cases ---- */

#define ONE(b, heads, kv, l, tokens, mask, use)                        \
    {                                                                  \
        {{"b", b, NULL}, {"heads", heads, NULL},   {"kv", kv, NULL},   \
         {"l", l, NULL}, {"tokens", tokens, NULL}, {"mask", 0, mask}}, \
            6, KERNEL_BF16, use                                        \
    }
#define CHECK(b, heads, kv, l, tokens, mask) \
    ONE(b, heads, kv, l, tokens, mask, KERNEL_CHECK)

/* Heads of Llama-3.1-8B. */
#define OF_8B(b, l, tokens, mask) \
    ONE(b, 32, 8, l, tokens, mask, KERNEL_MEASURE_CUDA | KERNEL_COLD)
#define DRAFTS(b, l) \
    OF_8B(b, l, 1, "chain"), OF_8B(b, l, 4, "chain"), OF_8B(b, l, 8, "chain")

enum { KI = 1 << 10 };

static const struct kernel_case cases[] = {
    /* one key; a draft and nothing else; drafts that lie in two tiles, and in
       two pieces; groups of 1, 3, 4, 8 and 16 heads; fewer keys than tokens */
    CHECK(1, 1, 1, 1, 1, "chain"),
    CHECK(1, 4, 1, 8, 8, "chain"),
    CHECK(2, 4, 1, 8, 8, "tree"),
    CHECK(2, 3, 1, 7, 3, "tree"),
    CHECK(1, 8, 2, 19, 5, "chain"),
    CHECK(3, 4, 2, 65, 4, "tree"),
    CHECK(2, 8, 1, 66, 7, "chain"),
    CHECK(3, 8, 2, 131, 6, "tree"),
    CHECK(5, 4, 2, 200, 8, "ragged"),
    CHECK(2, 2, 2, 515, 8, "chain"),
    CHECK(2, 4, 1, 516, 8, "tree"),
    CHECK(7, 8, 1, 300, 2, "ragged"),
    CHECK(2, 16, 1, 129, 8, "tree"),
    CHECK(40, 2, 1, 70, 3, "ragged"),
    CHECK(1, 8, 2, 1100, 4, "chain"),
    CHECK(70, 1, 1, 130, 4, "ragged"),
    CHECK(3, 32, 8, 4099, 8, "tree"),
    CHECK(17, 32, 8, 4097, 4, "ragged"),
    CHECK(128, 32, 8, 1000, 2, "chain"),
    CHECK(5, 64, 8, 2050, 4, "tree"),
    CHECK(2, 40, 8, 20000, 3, "chain"),
    DRAFTS(1, 4 * KI),
    DRAFTS(8, 4 * KI),
    DRAFTS(32, 4 * KI),
    OF_8B(32, 8 * KI, 1, "chain"), /* as decode has it, beside its peers */
    OF_8B(1, 32 * KI, 1, "chain"),
    OF_8B(1, 32 * KI, 4, "chain"),
    OF_8B(8, 32 * KI, 1, "chain"),
    OF_8B(8, 32 * KI, 8, "chain"),
    OF_8B(8, 4 * KI, 2, "chain"),
    OF_8B(8, 4 * KI, 8, "tree"),
};

/* ---- what a variant can do ---- */

/* A call has room for eight heads that share keys, and eight calls take a
 * while. */
static bool has_small_groups(const struct kernel_case *c)
{
    return kernel_num(c, "heads") <= 8 * kernel_num(c, "kv") &&
           kernel_num(c, "l") < 32 * KI;
}

/* CUDA cores are too slow to be worth more than the headline's cases. */
static bool is_example(const struct kernel_case *c)
{
    return !(c->use & KERNEL_MEASURE_CUDA) ||
           (kernel_num(c, "b") == 8 && kernel_num(c, "l") < 32 * KI);
}

#define DECLARE(name)        \
    LAUNCHER(verify_##name); \
    SCRATCH(verify_##name##_scratch)

DECLARE(loop);
DECLARE(together);
DECLARE(mma);
DECLARE(split);
DECLARE(joint);
DECLARE(early);

/* A step of the ladder. */
#define STEP(name, can, words, what)                                      \
    {                                                                     \
        .id = #name, .title = words, .idea = what, .where = KERNEL_CUDA,  \
        .file = "kernels/verify/" #name ".cu", .supports = can,           \
        .scratch_bytes = verify_##name##_scratch, .launch = verify_##name \
    }

static const struct kernel_variant variants[] = {
    STEP(
        loop, has_small_groups, "a call for each token",
        "Attention of one new token, once for each token of the draft, so that "
        "the cache is read as many times."),
    STEP(together, is_example, "all tokens in one pass",
         "A warp reads a key once and multiplies it by the queries of all "
         "tokens, on CUDA cores."),
    STEP(mma, NULL, "tokens on tensor cores",
         "Queries of all tokens are columns of a product whose rows are keys, "
         "and masks are bits that only the last keys look at."),
    STEP(split, NULL, "drafts in one wave of pieces",
         "A row is cut into as many pieces as fit the SMs at once, since parts "
         "grow with the draft."),
    STEP(joint, NULL, "all blocks join a draft",
         "Blocks of a row wait for each other's parts, and each joins some of "
         "the queries."),
    STEP(early, NULL, "a draft begins while the kernel before ends",
         "Blocks ask for old keys where those of the kernel before have left "
         "room, and wait for it before they read queries."),
};

const struct kernel_family verify_family = {
    .id = "verify",
    .title = "Attention of a draft",
    .problem = "Verify what speculative decoding has guessed: let the newest 1 "
               "to 8 tokens of each sequence of a batch look at its keys at "
               "once, o = softmax(scale q K') V for each head, with sums in "
               "f32. Each sees all keys before the draft, and in the draft its "
               "own key and those of its ancestors: all tokens before it in a "
               "chain, or the path to the root of a tree. The shape is that of "
               "Llama-3.1-8B: 32 heads, 8 of keys, in bf16. Three of four "
               "queries are the mean of two keys, often the last one, which "
               "all tokens but one must not see.",
    .metric = "bandwidth",
    .file = "kernels/verify/family.c",
    .cases = cases,
    .ncases = sizeof cases / sizeof cases[0],
    .variants = variants,
    .nvariants = sizeof variants / sizeof variants[0],
    .buffers = buffers,
    .model = model,
    .expect = expect,
    .terms = terms,
    .tolerance = tolerance,
    .finite_only = "an infinite value times a weight of zero is NaN, and keys "
                   "far from the query have a weight of zero",
};

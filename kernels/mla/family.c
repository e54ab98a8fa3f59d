/*
 * kernels/mla/family.c - multi-head latent attention of one new token for each
 * sequence of a batch, absorbed, as DeepSeek-V3 decodes. All heads of a
 * sequence share one row of 576 elements for each key. For each head
 *
 *     o = softmax(scale q K') V
 *
 * where K are the rows, K' is K transposed, and V are the first 512 elements of
 * each row. What would make keys and values of a head from a row is absorbed:
 * multiplied into the query before, and into the output afterwards. Neither is
 * part of this.
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include "kernels/declare.h"
#include "kernels/made.h"
#include "kernels/mla/mla.h"
#include "kernels/product.h"
#include "kernels/torch_mla.h"

#include <pthread.h>

/* ---- buffers ---- */

/* Lengths and pages of the shapes so far: buffers point to them. */
struct marks {
    struct marks *next;
    int64_t shape;
    int32_t is[];
};

static struct marks *make_marks(const struct cache_shape *s)
{
    const int room = cache_room(s);
    struct marks *const m = malloc(sizeof *m + mla_marks(s) * sizeof m->is[0]);
    int32_t *to;

    if (m == NULL)
        abort();
    m->shape = cache_packed(s);
    to = m->is;
    for (int i = 0; i < s->b; i++)
        *to++ = cache_length(s, i);
    for (int i = 0; s->page && i < s->b * room; i++)
        *to++ = (int32_t)cache_page(s, i / room, i % room);
    return m;
}

static const int32_t *marks_of(const struct cache_shape *s)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct marks *known;
    struct marks *m;

    pthread_mutex_lock(&lock);
    for (m = known; m != NULL && m->shape != cache_packed(s);)
        m = m->next;
    if (m == NULL) {
        m = make_marks(s);
        m->next = known;
        known = m;
    }
    pthread_mutex_unlock(&lock);
    return m->is;
}

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    const struct cache_shape s = mla_shape(c);
    const size_t rows = (size_t)s.b * (size_t)s.heads;

    b[MLA_Q] = latent_queries("q", &s);
    b[MLA_KEYS] = latent_keys("keys", &s);
    b[MLA_O] = kernel_out("o", KERNEL_BF16, rows * LATENT_VALUE);
    b[MLA_WHERE] = kernel_made("where", marks_of(&s), mla_marks(&s));
    return MLA_WHERE + 1;
}

/* For each head and each key 576 multiply-adds of scores and 512 of values.
 * Powers and sums of the softmax are not counted. A key crosses the bus once
 * for all heads, and its value with it. */
static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const struct cache_shape s = mla_shape(c);
    const int64_t rows = (int64_t)s.b * s.heads;
    int64_t keys = 0, marks = s.b;

    for (int i = 0; i < s.b; i++) {
        keys += cache_length(&s, i);
        if (s.page)
            marks += (cache_length(&s, i) + s.page - 1) / s.page;
    }
    m->flop = 2 * s.heads * (LATENT_DEEP + LATENT_VALUE) * keys;
    m->bytes_read = 2 * LATENT_DEEP * (keys + rows) + 4 * marks;
    m->bytes_written = 2 * LATENT_VALUE * rows;
    m->formula = "2 heads (576 + 512) FLOP for each key; 2 B read per element "
                 "of the keys that there are, whose values are part of them, "
                 "and of Q, 4 B per length and per number of a page, 2 B "
                 "written per element of O";
    m->unit = "bf16";
    m->level = "hbm";
}

/* ---- the reference ---- */

static const double U = 0x1p-8; /* rounding to bf16, which has 8 bits */

static const double LEAST = 0x1p-120; /* smaller weights may become zero */

/* Tensor cores add up so many products at once, with so many bits. */
enum { STEP = 16, BITS = 22 };

/* A row of the weights: where its keys begin, and the largest |q| |k|. */
struct weights {
    double *p;
    size_t *at;
    int keys;
    double most;
};

static double key_element(uint64_t seed, size_t i)
{
    return (double)input_real(KERNEL_BF16, seed, MLA_KEYS, i);
}

/* The scores of one query: w->p, and the largest of them is returned. */
static double score(const double *q, double scale, uint64_t seed,
                    struct weights *w)
{
    double size = 0, top = -INFINITY;

    for (int e = 0; e < LATENT_DEEP; e++)
        size += q[e] * q[e];
    w->most = 0;
    for (int j = 0; j < w->keys; j++) {
        double sum = 0, squares = 0;

        for (size_t e = 0; e < LATENT_DEEP; e++) {
            const double k = key_element(seed, w->at[j] + e);

            sum += q[e] * k;
            squares += k * k;
        }
        w->p[j] = scale * sum;
        w->most = fmax(w->most, sqrt(size * squares));
        top = fmax(top, w->p[j]);
    }
    return top;
}

/* The softmax of row n of the queries. */
static void weigh(const struct cache_shape *s, uint64_t seed, double scale,
                  size_t n, struct weights *w)
{
    const int sequence = (int)(n / (size_t)s->heads);
    double q[LATENT_DEEP], top, sum = 0;

    w->keys = cache_length(s, sequence);
    for (int j = 0; j < w->keys; j++)
        w->at[j] = latent_at(s, sequence, j);
    for (size_t e = 0; e < LATENT_DEEP; e++) {
        const uint32_t bits = latent_query(s, seed, MLA_Q, n * LATENT_DEEP + e)
                              << 16;
        float v;

        memcpy(&v, &bits, sizeof v);
        q[e] = (double)v;
    }
    top = score(q, scale, seed, w);
    for (int j = 0; j < w->keys; j++)
        sum += w->p[j] = exp(w->p[j] - top);
    for (int j = 0; j < w->keys; j++)
        w->p[j] /= sum;
}

/* The error of a weight, as a share of it: see tolerance(). */
static double off_by(double scale, const struct weights *w)
{
    return scale * w->most *
               (product_cuts(LATENT_DEEP, LATENT_DEEP, STEP, BITS) +
                4 * 0x1p-24) +
           12 * 0x1p-22 + (double)w->keys / 16 * 0x1p-23;
}

static void output(uint64_t seed, double scale, const struct weights *w,
                   size_t e, double *value, double *magnitude)
{
    const size_t keys = (size_t)w->keys;
    double sum = 0, size = 0, squares = 0, lost = 0;

    for (int j = 0; j < w->keys; j++) {
        const double term = w->p[j] * key_element(seed, w->at[j] + e);

        sum += term;
        size += fabs(term);
        squares += term * term;
        lost += fmin(w->p[j], LEAST);
    }
    *value = sum;
    *magnitude =
        fabs(sum) + fmin(3.5 * sqrt(squares), size) +
        (2 * off_by(scale, w) * size + lost +
         product_cuts(keys, keys, STEP, BITS) * fmin(5 * sqrt(squares), size)) /
            U;
}

/* Outputs of one row come together, so its weights are computed once. */
static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t count, double *value,
                   double *magnitude)
{
    const struct cache_shape s = mla_shape(c);
    const double scale = (double)mla_scale(c);
    struct weights w = {malloc((size_t)s.l * sizeof *w.p),
                        malloc((size_t)s.l * sizeof *w.at), 0, 0};
    size_t known = SIZE_MAX;

    if (w.p == NULL || w.at == NULL)
        abort();
    for (size_t n = 0; n < count; n++) {
        if (idx[n] / LATENT_VALUE != known)
            weigh(&s, seed, scale, known = idx[n] / LATENT_VALUE, &w);
        output(seed, scale, &w, idx[n] % LATENT_VALUE, &value[n],
               &magnitude[n]);
    }
    free(w.at);
    free(w.p);
}

/* Keys of a row, and for each of them the share that one of 64 outputs has of
 * the 576 products of its score. */
static size_t terms(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "l") * (1 + LATENT_DEEP / 64);
}

/*
 * Let p be the weights of a row, u = 2^-8 the rounding to bf16, and
 *
 *     R = root of the sum of (p v)^2,  S = sum of |p v|,  |o| <= S.
 *
 * The derivation is that of kernels/decode/family.c, with 576 products in a
 * score: the output is rounded once, u |o|. Tensor cores take weights in bf16,
 * and 3.5 u R is six deviations of the sum of these roundings, which is never
 * more than u S. What tensor cores cut off a score changes its weight by a
 * share e of itself, and the sum of all weights the other way: 2 e S. The
 * powers, sums and joins of a softmax in f32 are part of e. Sums over the keys
 * are cut off like any product's (kernels/product.h). Powers of f32 end at
 * 2^-126: a smaller weight may count as zero.
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

#define ONE(b, heads, l, layout, sharp, use) \
    {                                        \
        {{"b", b, NULL},                     \
         {"heads", heads, NULL},             \
         {"l", l, NULL},                     \
         {"layout", 0, layout},              \
         {"sharp", sharp, NULL}},            \
            5, KERNEL_BF16, use              \
    }
#define CHECK(b, heads, l, layout, sharp) \
    ONE(b, heads, l, layout, sharp, KERNEL_CHECK)
#define COLD (KERNEL_MEASURE_CUDA | KERNEL_COLD)

/* All 128 heads of DeepSeek-V3 on one GPU, where arithmetic decides; a half,
 * and an eighth of them, as tensor parallelism leaves to each GPU. */
#define WHOLE(b, l, layout) ONE(b, 128, l, layout, 4, COLD | KERNEL_FULL)
#define HALF(b, l) ONE(b, 64, l, "flat", 4, COLD)
#define EIGHTH(b, l, layout) ONE(b, 16, l, layout, 4, COLD)

enum { KI = 1 << 10 };

static const struct kernel_case cases[] = {
    /* one key; less than a tile; around the edges of tiles and of pairs of
       them; odd numbers of heads; flat and steep weights; pages */
    CHECK(1, 1, 1, "flat", 4),
    CHECK(1, 16, 7, "flat", 1),
    CHECK(2, 5, 63, "flat", 4),
    CHECK(1, 16, 64, "flat", 16),
    CHECK(1, 64, 65, "flat", 4),
    CHECK(2, 16, 129, "flat", 4),
    CHECK(3, 40, 200, "ragged", 4),
    CHECK(1, 128, 190, "flat", 4),
    CHECK(1, 66, 400, "flat", 4),
    CHECK(3, 16, 515, "ragged", 4),
    CHECK(1, 16, 1025, "flat", 4),
    CHECK(1, 64, 400, "page64", 4),
    CHECK(5, 16, 333, "ragged64", 4),
    CHECK(9, 128, 300, "ragged64", 1),
    CHECK(70, 16, 130, "ragged", 4),
    CHECK(17, 128, 4097, "ragged", 4),
    CHECK(40, 64, 2050, "ragged64", 4),
    CHECK(2, 128, 9000, "flat", 4),
    WHOLE(1, 8 * KI, "flat"),
    WHOLE(8, 8 * KI, "flat"),
    WHOLE(32, 8 * KI, "flat"),
    WHOLE(128, KI, "flat"),
    WHOLE(128, 8 * KI, "flat"),
    WHOLE(128, 8 * KI, "page64"),
    WHOLE(128, 8 * KI, "ragged"),
    HALF(32, 8 * KI),
    HALF(128, 4 * KI),
    EIGHTH(1, 8 * KI, "flat"),
    EIGHTH(8, 8 * KI, "flat"),
    EIGHTH(32, 8 * KI, "flat"),
    EIGHTH(128, 4 * KI, "flat"),
    EIGHTH(32, 8 * KI, "page64"),
};

/* ---- what a variant can do ---- */

static bool is_flat(const struct kernel_case *c)
{
    return mla_shape(c).page == 0;
}

static bool is_paged(const struct kernel_case *c)
{
    return mla_shape(c).page != 0;
}

/* So few blocks that a wave has room for two pieces of each sequence. */
static bool has_pieces(const struct kernel_case *c)
{
    return is_flat(c) &&
           kernel_num(c, "b") * ((kernel_num(c, "heads") + 63) / 64) <= 66;
}

/* Two blocks for each sequence. */
static bool is_whole(const struct kernel_case *c)
{
    const int64_t heads = kernel_num(c, "heads");

    return is_flat(c) && heads > 64 && heads <= 128;
}

/* Scores of all heads in memory are 4 bytes for each key. */
static bool is_small(const struct kernel_case *c)
{
    return is_flat(c) &&
           kernel_num(c, "b") * kernel_num(c, "heads") * kernel_num(c, "l") <=
               (int64_t)32 << 20;
}

/* PyTorch's calls take no lengths, and keys that there are not are NaN. */
static bool is_even(const struct kernel_case *c)
{
    return is_flat(c) && !mla_shape(c).ragged;
}

/* torch.compile works for each shape, which takes a while. */
static bool is_typical(const struct kernel_case *c)
{
    return is_even(c) && kernel_num(c, "heads") == 128 &&
           kernel_num(c, "l") == 8 * KI;
}

LAUNCHER(mla_three);
LAUNCHER(mla_online);
LAUNCHER(mla_halves);
LAUNCHER(mla_kept);
LAUNCHER(mla_seesaw);
LAUNCHER(mla_split);
LAUNCHER(mla_joint);
LAUNCHER(mla_pairs);
LAUNCHER(mla_paged);
SCRATCH(mla_three_scratch);
SCRATCH(mla_split_scratch);
SCRATCH(mla_joint_scratch);
SCRATCH(mla_pairs_scratch);
SCRATCH(mla_paged_scratch);
PREPARE(mla_halves_prepare);
PREPARE(mla_kept_prepare);
PREPARE(mla_seesaw_prepare);
PREPARE(mla_split_prepare);
PREPARE(mla_joint_prepare);
PREPARE(mla_pairs_prepare);
PREPARE(mla_paged_prepare);
RELEASE(mla_release);

/* A step of the ladder with tensor maps. */
#define MAPPED(name, can, words, what)                                   \
    {                                                                    \
        .id = #name, .title = words, .idea = what, .where = KERNEL_CUDA, \
        .file = "kernels/mla/" #name ".cu", .supports = can,             \
        .prepare = mla_##name##_prepare, .launch = mla_##name,           \
        .release = mla_release                                           \
    }

/* One that leaves parts in scratch memory, too. */
#define LEAVING(name, can, words, what)                                  \
    {                                                                    \
        .id = #name, .title = words, .idea = what, .where = KERNEL_CUDA, \
        .file = "kernels/mla/" #name ".cu", .supports = can,             \
        .scratch_bytes = mla_##name##_scratch,                           \
        .prepare = mla_##name##_prepare, .launch = mla_##name,           \
        .release = mla_release                                           \
    }

TORCH_MLA(mla)

static const struct kernel_variant variants[] = {
    {
        .id = "three",
        .title = "three kernels",
        .idea = "Scores, softmax and sums are kernels of their own, with all "
                "scores in memory, as three calls of a library are.",
        .where = KERNEL_CUDA,
        .file = "kernels/mla/three.cu",
        .supports = is_small,
        .scratch_bytes = mla_three_scratch,
        .launch = mla_three,
    },
    {
        .id = "online",
        .title = "scores never leave the SM",
        .idea = "A block goes through the keys once, and pairs of warps make "
                "the same scores for two halves of the columns.",
        .where = KERNEL_CUDA,
        .file = "kernels/mla/online.cu",
        .supports = is_flat,
        .launch = mla_online,
    },
    MAPPED(halves, is_flat, "two warp groups, a half of the columns each",
           "Four warps multiply 64 heads by 64 keys straight from shared "
           "memory, and the TMA brings a tile of keys and one of values."),
    MAPPED(kept, is_flat, "keys stay, and are the values",
           "A tile is fetched once and read both ways, so that there is room "
           "for the next one."),
    MAPPED(seesaw, is_flat, "each score once",
           "Groups make the scores of every other tile and exchange weights, "
           "so that one's softmax falls into the other's products."),
    LEAVING(split, is_flat, "pieces that fill one wave",
            "A sequence is cut into as many pieces as fit the SMs at once, and "
            "the last block joins them."),
    LEAVING(joint, has_pieces, "all blocks join",
            "Blocks of a sequence wait for each other's parts, and each joins "
            "some of the heads."),
    LEAVING(pairs, is_whole, "two blocks fetch together",
            "The two blocks of 128 heads are a cluster, and each asks for half "
            "of a tile's rows, for both."),
    LEAVING(paged, is_paged, "pages of 64, wherever they lie",
            "A page is a tile, and the thread that asks looks up where it "
            "lies."),
    TORCH_MLA_EINSUM(mla, is_even),
    TORCH_MLA_COMPILED(mla, is_typical),
    TORCH_MLA_SDPA(mla, is_even),
    TORCH_MLA_FLEX(mla, is_typical),
};

const struct kernel_family mla_family = {
    .id = "mla",
    .title = "Latent attention of one new token",
    .problem = "Let the newest token of each sequence of a batch look at all "
               "tokens before it, with the absorbed latent attention of "
               "DeepSeek-V3: o = softmax(scale q K') V for each head, with "
               "sums in f32. All heads share one row of 576 elements of bf16 "
               "for each key, of which the first 512 are its value. 128 heads "
               "are those of the whole model, 64 and 16 what a GPU has of "
               "them if several share a layer. Three of four queries are the "
               "mean of two keys, so that a lost or doubled key shows, and "
               "where the cache has no key it is NaN.",
    .metric = "throughput",
    .file = "kernels/mla/family.c",
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

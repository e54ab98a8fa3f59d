/*
 * kernels/prefill/family.c - attention over a whole prompt. For each head
 *
 *     O = softmax(scale Q K') V
 *
 * where Q, K, V and O have l rows of d elements, K' is K transposed, and a
 * causal mask leaves to row i the keys 0 to i. All of them are bf16 and lie as
 * the projections of a layer leave them: token by token, head by head. In FP8
 * Q, K and V are e4m3, and each head's values have a scale.
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include "kernels/declare.h"
#include "kernels/prefill/prefill.h"
#include "kernels/product.h"
#include "kernels/query.h"
#include "kernels/torch_attention.h"
#include "kernels/triton_attention.h"

#include <stdlib.h>

static struct query_shape shape_of(const struct kernel_case *c)
{
    const struct query_shape q = {prefill_num(c, "heads"), prefill_num(c, "kv"),
                                  prefill_num(c, "d"), prefill_num(c, "l"),
                                  prefill_causal(c)};

    return q;
}

static bool is_fp8(const struct kernel_case *c)
{
    return c->dtype == KERNEL_E4M3;
}

static bool is_bf16(const struct kernel_case *c)
{
    return !is_fp8(c);
}

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    const struct query_shape q = shape_of(c);
    const size_t row = (size_t)q.l * (size_t)q.d;

    b[PREFILL_Q] = kernel_queries("q", c->dtype, &q);
    b[PREFILL_K] = kernel_in("k", c->dtype, row * (size_t)q.kv);
    b[PREFILL_V] = kernel_in("v", c->dtype, row * (size_t)q.kv);
    b[PREFILL_O] = kernel_out("o", KERNEL_BF16, row * (size_t)q.heads);
    if (is_bf16(c))
        return PREFILL_O + 1;
    b[PREFILL_SCALES] = kernel_in("scales", KERNEL_F32, (size_t)q.kv);
    return PREFILL_SCALES + 1;
}

/* Two products for each pair of a query and a key that it sees: d
 * multiplications and additions each. Powers and sums of the softmax are not
 * counted. Everything crosses the bus once. */
static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const struct query_shape q = shape_of(c);
    const int64_t l = q.l, pairs = q.causal ? l * (l + 1) / 2 : l * l;

    m->flop = 4 * q.heads * q.d * pairs;
    m->bytes_read = 2 * l * q.d * (q.heads + 2 * q.kv);
    m->bytes_written = 2 * l * q.d * q.heads;
    m->formula = q.causal
                     ? "4 heads d FLOP for each of l (l + 1) / 2 pairs of a "
                       "query and a key; 2 B read per element of Q, K and V, "
                       "2 B written per element of O"
                     : "4 heads d FLOP for each of l l pairs of a query and a "
                       "key; 2 B read per element of Q, K and V, 2 B written "
                       "per element of O";
    m->unit = "bf16";
    m->level = "hbm";
    if (is_bf16(c))
        return;
    m->unit = "fp8";
    m->bytes_read = l * q.d * (q.heads + 2 * q.kv) + 4 * q.kv;
    m->formula = q.causal
                     ? "4 heads d FLOP for each of l (l + 1) / 2 pairs of a "
                       "query and a key; 1 B read per element of Q, K and V, 4 "
                       "B per scale, 2 B written per element of O"
                     : "4 heads d FLOP for each of l l pairs of a query and a "
                       "key; 1 B read per element of Q, K and V, 4 B per "
                       "scale, 2 B written per element of O";
}

/* ---- the reference ---- */

/* Of tensor cores by type of their operands: how they round what they are
 * given, to u of itself or to `least` of the largest weight; how many products
 * they add up at once, and with how many bits. */
struct cores {
    double u, least;
    size_t step;
    int bits;
};

static struct cores cores_of(enum kernel_dtype t)
{
    static const struct cores bf16 = {0x1p-8, 0, 16, 22};
    static const struct cores fp8 = {0x1p-4, 0x1p-10, 32, 13};

    return t == KERNEL_E4M3 ? fp8 : bf16;
}

static const double TO_BF16 = 0x1p-8; /* the output's rounding */

/* The weights of a row and their largest, and the largest product of sizes
 * |q| |k|. */
struct row {
    double *p, largest;
    size_t seen;
    double most;
};

/* Buffers as in buffers(). */
struct inputs {
    struct query_shape shape;
    struct kernel_buffer b[KERNEL_MAX_BUFFERS];
    uint64_t seed;
    enum kernel_dtype dtype;
    struct cores cores;
};

static double of_keys(const struct inputs *in, unsigned buffer, size_t key,
                      size_t head, size_t e)
{
    const size_t i =
        (key * (size_t)in->shape.kv + head) * (size_t)in->shape.d + e;

    return (double)input_real(in->dtype, in->seed, buffer, i);
}

/* Row i of head h: softmax of its scores. */
static void weigh(const struct inputs *in, double scale, size_t i, size_t h,
                  struct row *r)
{
    const size_t d = (size_t)in->shape.d, heads = (size_t)in->shape.heads;
    const size_t head = h / (heads / (size_t)in->shape.kv);
    double q[1 << 10], size = 0, top = -INFINITY, sum = 0;

    for (size_t e = 0; e < d; e++) {
        q[e] = (double)query_value(&in->b[PREFILL_Q], in->seed, PREFILL_Q,
                                   (i * heads + h) * d + e);
        size += q[e] * q[e];
    }
    r->seen = in->shape.causal ? i + 1 : (size_t)in->shape.l;
    r->most = 0;
    for (size_t j = 0; j < r->seen; j++) {
        double score = 0, squares = 0;

        for (size_t e = 0; e < d; e++) {
            const double k = of_keys(in, PREFILL_K, j, head, e);

            score += q[e] * k;
            squares += k * k;
        }
        r->p[j] = scale * score;
        r->most = fmax(r->most, sqrt(size * squares));
        top = fmax(top, r->p[j]);
    }
    for (size_t j = 0; j < r->seen; j++)
        sum += r->p[j] = exp(r->p[j] - top);
    for (size_t j = 0; j < r->seen; j++)
        r->p[j] /= sum;
    r->largest = 1 / sum;
}

/* The error of a weight, as a share of it: see tolerance(). */
static double of_weights(const struct inputs *in, double scale,
                         const struct row *r)
{
    const size_t d = (size_t)in->shape.d;

    return scale * r->most *
               (product_cuts(d, d, in->cores.step, in->cores.bits) +
                4 * 0x1p-24) +
           8 * 0x1p-22 + (double)r->seen / 64 * 0x1p-23;
}

static void output(const struct inputs *in, double scale, const struct row *r,
                   size_t head, size_t e, double *value, double *magnitude)
{
    const double u = in->cores.u, least = in->cores.least * r->largest;
    double sum = 0, size = 0, squares = 0, off = 0, rounded = 0;

    for (size_t j = 0; j < r->seen; j++) {
        const double v = of_keys(in, PREFILL_V, j, head, e);
        const double term = r->p[j] * v, to = (r->p[j] + least) * v;

        sum += term;
        size += fabs(term);
        squares += term * term;
        off += fabs(to);
        rounded += to * to;
    }
    *value = sum;
    *magnitude =
        TO_BF16 / u * fabs(sum) + fmin(3.5 * sqrt(rounded), off) +
        (2 * of_weights(in, scale, r) * size +
         product_cuts(r->seen, r->seen, in->cores.step, in->cores.bits) *
             fmin(5 * sqrt(squares), size)) /
            u;
}

/* The scale of a head's values. */
static double scale_of(const struct inputs *in, size_t head)
{
    return in->dtype == KERNEL_E4M3
               ? (double)input_real(KERNEL_F32, in->seed, PREFILL_SCALES, head)
               : 1;
}

/* Outputs of one row come together, so its weights are computed once. */
static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t count, double *value,
                   double *magnitude)
{
    struct inputs in = {shape_of(c), {{0}}, seed, c->dtype, cores_of(c->dtype)};
    const size_t d = (size_t)in.shape.d, heads = (size_t)in.shape.heads;
    const double scale = (double)prefill_scale(c);
    struct row r = {malloc((size_t)in.shape.l * sizeof *r.p), 0, 0, 0};
    size_t known = SIZE_MAX;

    if (r.p == NULL)
        abort();
    buffers(c, in.b);
    for (size_t n = 0; n < count; n++) {
        const size_t row = idx[n] / d, h = row % heads;

        if (row != known)
            weigh(&in, scale, row / heads, h, &r);
        known = row;
        const size_t head = h / (heads / (size_t)in.shape.kv);

        output(&in, scale, &r, head, idx[n] % d, &value[n], &magnitude[n]);
        value[n] *= scale_of(&in, head);
        magnitude[n] *= fabs(scale_of(&in, head));
    }
    free(r.p);
}

/* Keys of a row. The d products of each are computed once for 64 outputs. */
static size_t terms(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "l");
}

/*
 * Let p be the weights of a row, u = 2^-8 the rounding to bf16, and
 *
 *     R = root of the sum of (p v)^2,  S = sum of |p v|,  |o| <= S.
 *
 *   The output is rounded once: u |o|.
 *
 *   Tensor cores take weights in bf16: each is off by u p at most, up as often
 *   as down. A rounding error that is uniform in [-u, u] has a standard
 *   deviation of u / sqrt(3), so 3.5 u R is six deviations of their sum. It is
 *   never more than u S.
 *
 *   A score is off by what tensor cores cut off a sum of d products
 *   (product_cuts(), whose running sums are at most |q| |k|), and by four
 *   roundings of the exponent. A weight is then off by that share e of itself,
 *   as the sum of all is, in the other direction: 2 e S. Powers and the sums of
 *   weights, moved to a new maximum once for 64 keys, are part of e.
 *
 *   Sums over the keys are cut off, too: product_cuts() of the smaller of S and
 *   5 R, as for any product (kernels/product.h).
 *
 * In FP8 weights have u = 2^-4. They are raised by at least 2^4, and the
 * largest may be there already. The smallest numbers of e4m3 are multiples of
 * 2^-9: a weight of less than 2^-10 of the largest is off by u times that. So R
 * and S are those of weights that are larger by 2^-10 of the largest.
 */
static double tolerance(const struct kernel_case *c, const char **why)
{
    const double u = cores_of(c->dtype).u;

    if (is_fp8(c)) {
        *why = "2^-8 of |o| for its rounding to bf16, 2^-4 of 3.5 R for that "
               "of the weights to e4m3, where R is the root of the sum of (p "
               "v)^2; what 13 bits of sums on tensor cores add to weights and "
               "outputs";
        return u;
    }
    *why = "2^-8 of |o| for its rounding to bf16 and of 3.5 R for that of the "
           "weights, where R is the root of the sum of (p v)^2; what rounding "
           "of scores and sums in f32 adds to weights";
    return u;
}

#define OF(dtype, heads, kv, l, d, mask, sharp, use)                         \
    {                                                                        \
        {{"heads", heads, NULL}, {"kv", kv, NULL},  {"l", l, NULL},          \
         {"d", d, NULL},         {"mask", 0, mask}, {"sharp", sharp, NULL}}, \
            6, dtype, use                                                    \
    }
#define ONE(heads, kv, l, d, mask, sharp, use) \
    OF(KERNEL_BF16, heads, kv, l, d, mask, sharp, use)
#define FP8(heads, kv, l, mask, sharp, use) \
    OF(KERNEL_E4M3, heads, kv, l, 128, mask, sharp, use)
#define CHECK(heads, kv, l, d, mask, sharp) \
    ONE(heads, kv, l, d, mask, sharp, KERNEL_CHECK)
#define PLAIN (KERNEL_MEASURE_CUDA | KERNEL_COLD)
#define COLD (PLAIN | KERNEL_FULL)
#define LONG (COLD | KERNEL_STEADY)

/* Heads of Llama-3.1-8B and of 70B; of 8B's size with heads half as wide. */
#define OF_8B(l, mask, use) ONE(32, 8, l, 128, mask, 4, use)
#define OF_70B(l, mask, use) ONE(64, 8, l, 128, mask, 4, use)
#define NARROW(l, mask, use) ONE(64, 16, l, 64, mask, 4, use)

static const struct kernel_case cases[] = {
    /* one key; less than a tile; around the edges of tiles; groups of three
       heads; flat and steep weights */
    CHECK(1, 1, 1, 64, "full", 1),
    CHECK(2, 1, 7, 128, "causal", 4),
    CHECK(3, 1, 65, 64, "full", 1),
    CHECK(1, 1, 127, 128, "causal", 4),
    CHECK(1, 1, 128, 64, "causal", 16),
    CHECK(2, 2, 129, 64, "causal", 1),
    CHECK(4, 2, 190, 64, "full", 4),
    CHECK(1, 1, 257, 128, "full", 4),
    CHECK(2, 1, 300, 128, "causal", 4),
    CHECK(1, 1, 450, 64, "causal", 4),
    CHECK(8, 2, 1000, 128, "causal", 4),
    CHECK(8, 2, 1999, 64, "causal", 4),
    CHECK(4, 1, 4097, 128, "full", 16),
    CHECK(24, 8, 2048, 128, "causal", 1),
    CHECK(9, 3, 2048, 64, "full", 4),
    CHECK(40, 8, 1111, 128, "causal", 4),
    OF_8B(1 << 10, "causal", COLD),
    OF_8B(1 << 12, "causal", LONG),
    OF_8B(1 << 13, "causal", LONG),
    OF_8B(1 << 14, "causal", LONG),
    OF_8B(1 << 15, "causal", LONG),
    OF_8B(1 << 10, "full", COLD),
    OF_8B(1 << 12, "full", LONG),
    OF_8B(1 << 13, "full", LONG),
    OF_8B(1 << 14, "full", LONG),
    OF_70B(1 << 13, "causal", LONG),
    NARROW(1 << 12, "causal", LONG),
    NARROW(1 << 13, "causal", LONG),
    NARROW(1 << 13, "full", LONG),
    /* in FP8; their elements have all bits of e4m3 as they are */
    FP8(1, 1, 1, "full", 1, KERNEL_CHECK),
    FP8(2, 1, 7, "causal", 4, KERNEL_CHECK),
    FP8(3, 1, 65, "full", 1, KERNEL_CHECK),
    FP8(1, 1, 128, "causal", 16, KERNEL_CHECK),
    FP8(2, 1, 260, "causal", 4, KERNEL_CHECK),
    FP8(1, 1, 257, "full", 4, KERNEL_CHECK),
    FP8(8, 2, 1000, "causal", 4, KERNEL_CHECK),
    FP8(24, 8, 2048, "causal", 1, KERNEL_CHECK),
    FP8(32, 8, 1 << 12, "causal", 4, PLAIN | KERNEL_STEADY),
    FP8(32, 8, 1 << 13, "causal", 4, PLAIN | KERNEL_STEADY),
    FP8(32, 8, 1 << 14, "causal", 4, PLAIN | KERNEL_STEADY),
    FP8(32, 8, 1 << 13, "full", 4, PLAIN | KERNEL_STEADY),
    /* how flat and how steep weights change the time */
    ONE(32, 8, 1 << 13, 128, "causal", 1, COLD),
    ONE(32, 8, 1 << 13, 128, "causal", 16, COLD),
};

/* ---- what a variant can do ---- */

/* All scores of all heads in memory are 4 bytes for each pair, and CUDA cores
 * take 14 ms for 4096 tokens. */
static bool is_short(const struct kernel_case *c)
{
    return is_bf16(c) && kernel_num(c, "l") <= 4097;
}

/* The first steps on tensor cores take half as long for 8192. */
static bool is_medium(const struct kernel_case *c)
{
    return is_bf16(c) && kernel_num(c, "l") <= 1 << 13;
}

static bool is_causal(const struct kernel_case *c)
{
    return is_bf16(c) && prefill_causal(c);
}

/* Two neighbouring heads have the same keys. */
static bool shares_keys(const struct kernel_case *c)
{
    return is_bf16(c) && kernel_num(c, "heads") / kernel_num(c, "kv") % 2 == 0;
}

/* FlexAttention has another kernel for fewer queries. */
static bool is_prompt(const struct kernel_case *c)
{
    return is_bf16(c) && kernel_num(c, "l") >= 128;
}

/* Of a step; of one with tensor maps; of one with memory of its own, too. */
#define OF_STEP(name) LAUNCHER(prefill_##name)
#define OF_MAPPED(name) \
    OF_STEP(name);      \
    PREPARE(prefill_##name##_prepare)
#define OF_DRAWN(name) \
    OF_MAPPED(name);   \
    SCRATCH(prefill_##name##_scratch)

OF_STEP(three);
OF_STEP(tiled);
OF_STEP(mma);
OF_STEP(stages);
OF_STEP(tall);
OF_MAPPED(wgmma);
OF_MAPPED(roles);
OF_MAPPED(turns);
OF_MAPPED(overlap);
OF_MAPPED(order);
OF_MAPPED(resident);
OF_MAPPED(pairs);
OF_MAPPED(beside);
OF_MAPPED(lazy);
OF_DRAWN(drawn);
OF_DRAWN(store);
OF_DRAWN(seamless);
OF_DRAWN(kept);
OF_MAPPED(shared);
OF_DRAWN(polynomial);
OF_DRAWN(keys);
OF_DRAWN(thirds);
OF_DRAWN(bytes);
OF_DRAWN(bytes_keys);
OF_DRAWN(bytes_lazy);
SCRATCH(prefill_three_scratch);
RELEASE(prefill_release);

/* A step of the ladder; one that needs memory of its own. */
#define STEP(name, can, words, what)                                     \
    {                                                                    \
        .id = #name, .title = words, .idea = what, .where = KERNEL_CUDA, \
        .file = "kernels/prefill/" #name ".cu", .supports = can,         \
        .launch = prefill_##name                                         \
    }

/* One with tensor maps; for all cases in bf16. */
#define OF_SOME(name, can, words, what)                                  \
    {                                                                    \
        .id = #name, .title = words, .idea = what, .where = KERNEL_CUDA, \
        .file = "kernels/prefill/" #name ".cu", .supports = can,         \
        .prepare = prefill_##name##_prepare, .launch = prefill_##name,   \
        .release = prefill_release                                       \
    }
#define MAPPED(name, words, what) OF_SOME(name, is_bf16, words, what)
#define DRAWN(name, can, words, what)                                    \
    {                                                                    \
        .id = #name, .title = words, .idea = what, .where = KERNEL_CUDA, \
        .file = "kernels/prefill/" #name ".cu", .supports = can,         \
        .scratch_bytes = prefill_##name##_scratch,                       \
        .prepare = prefill_##name##_prepare, .launch = prefill_##name,   \
        .release = prefill_release                                       \
    }

TORCH_ATTENTION(prefill, "prefill")
TRITON_ATTENTION(prefill)

static const struct kernel_variant variants[] = {
    {
        .id = "three",
        .title = "three kernels",
        .idea = "Scores, softmax and sums are kernels of their own, with all "
                "scores in memory.",
        .where = KERNEL_CUDA,
        .file = "kernels/prefill/three.cu",
        .supports = is_short,
        .scratch_bytes = prefill_three_scratch,
        .launch = prefill_three,
    },
    STEP(tiled, is_short, "scores never leave the SM",
         "A block goes through the keys once: old sums are scaled whenever the "
         "maximum grows."),
    STEP(mma, is_medium, "tensor cores by warp",
         "A warp takes 16 queries through all keys, and its weights go from "
         "one product to the next in registers."),
    STEP(stages, is_medium, "copies ahead",
         "cp.async brings the next keys and values to swizzled rows while "
         "these are multiplied."),
    STEP(tall, is_bf16, "32 queries a warp",
         "What a warp reads of keys and values serves twice as many queries."),
    MAPPED(wgmma, "wgmma, fed by the TMA",
           "Four warps multiply 64 queries by 128 keys straight from shared "
           "memory, with weights from registers."),
    MAPPED(roles, "a warp group that only loads",
           "Slots are handed over by mbarriers, and registers go to those that "
           "multiply."),
    MAPPED(turns, "groups take turns",
           "One group's products run while the other does its softmax."),
    MAPPED(overlap, "softmax beside its own product",
           "A group waits for its scores alone, and makes weights while its "
           "product with the values runs."),
    OF_SOME(order, is_causal, "longest rows first",
            "Blocks go from the end of the prompt to its beginning, so that "
            "what is left over at the end is short."),
    MAPPED(resident, "a block for each SM",
           "A block goes on to its next queries, and asks for them while it "
           "finishes these."),
    OF_SOME(pairs, shares_keys, "two heads share keys",
            "Two blocks of a cluster take two heads with the same keys, and "
            "fetch half of them each."),
    MAPPED(beside, "powers beside the product",
           "What the assembler had put behind the product runs beside it, from "
           "the longest rows to the shortest."),
    MAPPED(lazy, "a maximum that is good enough",
           "Old sums are scaled only if the old maximum no longer keeps "
           "weights in range, which is rare."),
    DRAWN(drawn, is_bf16, "pieces are drawn",
          "A block for each SM draws its pieces from a counter, and "
          "descriptors stay in uniform registers."),
    DRAWN(store, is_bf16, "outputs leave by the TMA",
          "Outputs go through shared memory, and the TMA writes them while the "
          "next piece begins."),
    DRAWN(seamless, is_bf16, "no seam between pieces",
          "The first scores of a piece are started together with the last "
          "values of the one before."),
    DRAWN(
        kept, is_bf16, "queries in registers",
        "A group loads its queries once for each piece, and products of scores "
        "take them from registers."),
    OF_SOME(
        shared, shares_keys, "shared keys, no seams",
        "Two blocks of a cluster fetch keys together again, now that pieces "
        "follow each other without a seam."),
    DRAWN(
        polynomial, is_bf16, "powers without the special function unit",
        "Of four powers one is a polynomial, without seams, and queries are in "
        "shared memory."),
    DRAWN(keys, is_bf16, "wider tiles of keys",
          "Pieces are drawn, and a tile has 176 keys: fewer turns for as many "
          "products."),
    DRAWN(thirds, is_bf16, "three groups",
          "Pieces are drawn, and three groups share each tile of keys: two "
          "multiply while one makes weights."),
    TORCH_ATTENTION_CUDNN(prefill, is_bf16),
    TORCH_ATTENTION_FA2(prefill, is_bf16),
    TORCH_ATTENTION_FLEX(prefill, is_prompt,
                         "PyTorch's flex_attention as torch.compile makes it: "
                         "a kernel in Triton, which leaves out blocks of keys "
                         "that the mask hides."),
    TRITON_ATTENTION_ROW(prefill, is_bf16,
                         "What its user writes: one pass over blocks of keys "
                         "with an online softmax, tiles by the TMA, wgmma; the "
                         "best of six tiles, found by trying once for all "
                         "processes."),
    DRAWN(
        bytes, is_fp8, "in FP8",
        "Products of e4m3, and three warps turn the tiles of values for them."),
    DRAWN(bytes_keys, is_fp8, "wider tiles in FP8",
          "A tile has 192 keys, since turns are shorter in FP8 and cost the "
          "same."),
    DRAWN(bytes_lazy, is_fp8, "a good enough maximum in FP8",
          "Weights are raised by less, so that old sums need scaling only "
          "when the maximum grows by much."),
};

const struct kernel_family prefill_family = {
    .id = "prefill",
    .title = "Attention over a prompt",
    .problem = "Let each token of a prompt look at all tokens, or at those "
               "before it: O = softmax(scale Q K') V for each head, in bf16 "
               "with sums in f32. Neighbouring heads of queries share their "
               "keys and values. The shapes are those of Llama-3.1-8B (32 "
               "heads, 8 of keys) and 70B (64, 8) with 128 elements a head, "
               "and heads of 64. Every other query is the mean of two keys, so "
               "that a lost or doubled key shows.",
    .metric = "throughput",
    .file = "kernels/prefill/family.c",
    .cases = cases,
    .ncases = sizeof cases / sizeof cases[0],
    .variants = variants,
    .nvariants = sizeof variants / sizeof variants[0],
    .buffers = buffers,
    .model = model,
    .expect = expect,
    .terms = terms,
    .tolerance = tolerance,
    .finite_only = "an infinite value times a weight of zero is NaN, and a "
                   "masked key has a weight of zero",
};

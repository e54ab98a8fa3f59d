/*
 * kernels/grouped/family.c - many small products: the experts of a mixture of
 * experts. Row i belongs to expert g, and C[i][j] = Σ_k A[i][k] B[g][j][k].
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include "kernels/declare.h"
#include "kernels/grouped/gated.h"
#include "kernels/grouped/routing.h"
#include "kernels/input.h"
#include "kernels/made.h"
#include "kernels/product.h"
#include "kernels/torch_product.h"

#include <math.h>
#include <string.h>

enum { A, B, C, BEGIN, ROW, SCALES = ROW }; /* buffer numbers */

static size_t number(const struct kernel_case *c, const char *name)
{
    return (size_t)kernel_num(c, name);
}

static size_t terms(const struct kernel_case *c)
{
    return number(c, "k");
}

/* Are the rows of A the tokens as they come? Else they are sorted by expert. */
static bool gathers(const struct kernel_case *c)
{
    return strstr(kernel_word(c, "layer"), "gather") != NULL;
}

/* Are tokens and weights in e4m3, with a scale for each expert? */
static bool is_bytes(const struct kernel_case *c)
{
    return c->dtype == KERNEL_E4M3;
}

/* Columns of C: with SwiGLU half of those of the product. */
static size_t outputs(const struct kernel_case *c)
{
    return number(c, "n") / (gated_is(c) ? 2 : 1);
}

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    const struct routing *const r = routing_of(c);
    const size_t rows = (size_t)r->rows, n = number(c, "n");
    const size_t e = number(c, "e"), k = terms(c);

    b[A] = kernel_in("a", c->dtype, (gathers(c) ? number(c, "t") : rows) * k);
    b[B] = kernel_in("b", c->dtype, e * n * k);
    b[C] = kernel_out("c", KERNEL_BF16, rows * outputs(c));
    b[BEGIN] = kernel_made("begin", r->begin, e + 1);
    if (gathers(c))
        b[ROW] = kernel_made("row", r->token, rows);
    if (is_bytes(c))
        b[SCALES] = kernel_in("scales", KERNEL_F32, e);
    return gathers(c) || is_bytes(c) ? ROW + 1 : BEGIN + 1;
}

/*
 * A multiplication and an addition for each output and each k. Of the weights
 * only those of experts that have rows are needed. With T tokens of k experts
 * each that is E (1 - (1 - k/E)^T) experts in expectation, if all are as
 * likely; here it is how many there are.
 */
static void model(const struct kernel_case *c, struct kernel_model *mod)
{
    const struct routing *const r = routing_of(c);
    const int64_t n = kernel_num(c, "n"), k = kernel_num(c, "k");
    const int64_t from = gathers(c) ? r->t : r->rows;
    const int64_t marks = gathers(c) ? r->rows + r->e + 1 : r->e + 1;

    mod->flop = 2 * r->rows * n * k;
    mod->bytes_read = 2 * (from * k + r->active * n * k) + 4 * marks;
    mod->bytes_written = 2 * r->rows * (int64_t)outputs(c);
    mod->formula = "2 n k FLOP for each row; 2 B read per element of A and of "
                   "the weights of experts that have rows, 4 B per number of "
                   "the routing, 2 B written per element of C";
    mod->unit = "bf16";
    mod->level = "hbm";
    if (!is_bytes(c))
        return;
    mod->bytes_read = from * k + r->active * n * k + 4 * (marks + r->e);
    mod->unit = "fp8";
    mod->formula = "2 n k FLOP for each row; 1 B read per element of A and of "
                   "the weights of experts that have rows, 4 B per scale and "
                   "per number of the routing, 2 B written per element of C";
}

/* The products of all n columns. */
static struct kernel_product product_before(const struct kernel_case *c)
{
    const struct routing *const r = routing_of(c);
    const size_t rows = (size_t)(gathers(c) ? r->t : r->rows);
    const size_t n = number(c, "n");

    struct kernel_product p = {.a = product_rows(A, rows, terms(c)),
                               .b = product_rows(B, n, terms(c)),
                               .out = product_rows(C, rows, n),
                               .count = number(c, "e"),
                               .rows = rows,
                               .cols = n,
                               .depth = terms(c),
                               .times = 1,
                               .sum_bits = 23};
    p.a.next = 0;
    return p;
}

bool grouped_product(const struct kernel_case *c, struct kernel_product *p)
{
    *p = product_before(c);
    return !gated_is(c) && !is_bytes(c);
}

bool grouped_groups(const struct kernel_case *c, struct kernel_groups *g)
{
    const struct routing *const r = routing_of(c);

    *g = (struct kernel_groups){r->begin, gathers(c) ? r->token : NULL, BEGIN,
                                ROW};
    return true;
}

/* Products that a tensor core adds up at once, and in FP8. */
enum { STEP_OF_MMA = 16, STEP_OF_FP8 = 32 };

static const double ROUNDING = 0x1p-8; /* to bf16, which has 8 bits */

/* Sums, elements idx[] of the product, and the magnitudes of their errors in
 * units of a rounding to bf16. */
static void see(const struct kernel_case *c, uint64_t seed, const size_t *idx,
                size_t count, double *value, double *magnitude)
{
    const size_t k = terms(c);
    const double cut = is_bytes(c) ? product_cuts(k, k, STEP_OF_FP8, 13)
                                   : product_cuts(k, k, STEP_OF_MMA, 22);
    const struct product_error e = {.sizes = product_rounds(k, 24) / ROUNDING,
                                    .most = cut / ROUNDING};
    const struct kernel_product p = product_before(c);
    struct kernel_buffer b[KERNEL_MAX_BUFFERS];
    struct kernel_groups g;

    buffers(c, b);
    grouped_groups(c, &g);
    groups_expect(&p, &g, b, seed, e, idx, count, value, magnitude);
}

enum { MOST = 64 /* outputs of SwiGLU that are computed together */ };

static void expect_gated(const struct kernel_case *c, uint64_t seed,
                         const size_t *idx, size_t count, double *value,
                         double *magnitude)
{
    size_t of[2 * MOST];
    double sum[2 * MOST], off[2 * MOST];

    for (size_t i = 0; i < count; i++) {
        of[2 * i] = gated_gate(idx[i]);
        of[2 * i + 1] = of[2 * i] + GATED_RUN;
    }
    see(c, seed, of, 2 * count, sum, off);
    for (size_t i = 0; i < count; i++)
        gated_output(
            (struct gated_sum){sum[2 * i], ROUNDING * off[2 * i]},
            (struct gated_sum){sum[2 * i + 1], ROUNDING * off[2 * i + 1]},
            value + i, magnitude + i);
}

/* Multiplies each output by the scale of its expert. */
static void scale(const struct kernel_case *c, uint64_t seed, const size_t *idx,
                  size_t count, double *value, double *magnitude)
{
    struct kernel_groups g;

    grouped_groups(c, &g);
    for (size_t i = 0; i < count; i++) {
        const size_t expert = groups_of_row(&g, idx[i] / number(c, "n"));
        const double by = (double)input_real(KERNEL_F32, seed, SCALES, expert);

        value[i] *= by;
        magnitude[i] *= fabs(by);
    }
}

/* The magnitude that tolerance() refers to. */
static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t count, double *value,
                   double *magnitude)
{
    if (!gated_is(c)) {
        see(c, seed, idx, count, value, magnitude);
        if (is_bytes(c))
            scale(c, seed, idx, count, value, magnitude);
        return;
    }
    for (size_t i = 0; i < count; i += MOST)
        expect_gated(c, seed, idx + i, count - i < MOST ? count - i : MOST,
                     value + i, magnitude + i);
}

/* As for the other products in bf16 (kernels/splitk/family.c). */
static double tolerance(const struct kernel_case *c, const char **why)
{
    if (gated_is(c))
        return gated_tolerance(why);
    if (is_bytes(c)) {
        *why = "2^-8 of |C| for the rounding to bf16, sqrt(k) 2^-24 of the sum "
               "of |a b| for additions in f32, and 2^-13 of the largest "
               "running sum for each 32 products on tensor cores";
        return ROUNDING;
    }
    *why = "2^-8 of |C| for the rounding to bf16, sqrt(k) 2^-24 of the sum of "
           "|a b| for additions in f32, and 2^-22 of the largest running sum "
           "for each 16 products on tensor cores";
    return ROUNDING;
}

/* ---- what a variant can do ---- */

/* The TMA takes rows that begin at multiples of 16 bytes; shared memory has
 * room for so many experts. */
static bool is_movable(const struct kernel_case *c)
{
    return terms(c) % (is_bytes(c) ? 16 : 8) == 0 &&
           number(c, "e") <= ROUTING_EXPERTS;
}

static bool is_sorted(const struct kernel_case *c)
{
    return !gathers(c) && !gated_is(c) && !is_bytes(c) && is_movable(c);
}

static bool is_fp8(const struct kernel_case *c)
{
    return is_bytes(c) && is_movable(c);
}

static bool is_gated(const struct kernel_case *c)
{
    return gated_is(c) && is_movable(c);
}

static bool is_gathered(const struct kernel_case *c)
{
    return gathers(c) && is_movable(c);
}

/* A batch is padded to the largest expert: at most 16 times the rows, and what
 * they take in memory must be there beside the weights. */
static bool is_paddable(const struct kernel_case *c)
{
    const struct routing *const r = routing_of(c);
    const size_t rows = (size_t)r->most * (size_t)r->e;

    return is_sorted(c) && rows <= 16 * (size_t)r->rows &&
           rows * (terms(c) + number(c, "n")) * 2 <= (size_t)4 << 30;
}

#define OF(type, layer, t, e, n, k, routing, use)                       \
    {                                                                   \
        {{"layer", 0, layer}, {"t", t, NULL}, {"e", e, NULL},           \
         {"n", n, NULL},      {"k", k, NULL}, {"routing", 0, routing}}, \
            6, type, use                                                \
    }
#define ONE(layer, t, e, n, k, routing, use) \
    OF(KERNEL_BF16, layer, t, e, n, k, routing, use)
#define FP8(layer, t, e, n, k, routing, use) \
    OF(KERNEL_E4M3, layer, t, e, n, k, routing, use)
#define CHECK(t, e, n, k, routing) \
    ONE("check", t, e, n, k, routing, KERNEL_CHECK)
#define GATHER(t, e, n, k, routing) \
    ONE("check_gather", t, e, n, k, routing, KERNEL_CHECK)

/* Measured with cold caches. Calls that are too long for a burst are measured
 * at the power limit, too. */
#define COLD (KERNEL_MEASURE_CUDA | KERNEL_COLD | KERNEL_FULL)
#define LONG (COLD | KERNEL_STEADY)

#define GATED(t, e, n, k, routing) \
    ONE("check_swiglu", t, e, n, k, routing, KERNEL_CHECK)

/* DeepSeek-V3: 256 experts, into 2 x 2048 and back to 7168. */
#define V3_UP(t, routing, use) ONE("v3_up", t, 256, 4096, 7168, routing, use)
#define V3_DOWN(t, routing, use) \
    ONE("v3_down", t, 256, 7168, 2048, routing, use)
/* Qwen3-30B-A3B: 128 experts, into 2 x 768 and back to 2048. */
#define QWEN_UP(t, routing, use) \
    ONE("qwen_up", t, 128, 1536, 2048, routing, use)
#define QWEN_DOWN(t, routing, use) \
    ONE("qwen_down", t, 128, 2048, 768, routing, use)
#define QWEN_GATHER(t, routing, use) \
    ONE("qwen_gather", t, 128, 1536, 2048, routing, use)
#define QWEN_SWIGLU(t, routing, use) \
    ONE("qwen_up_swiglu", t, 128, 1536, 2048, routing, use)
/* 32 experts with 512 rows each: large enough for tensor cores to be busy. */
#define EVEN(use) ONE("even", 2048, 32, 4096, 7168, "even", use)

static const struct kernel_case cases[] = {
    /* one of everything; a product in one expert; fewer experts than a token
       has; ragged in every direction; experts around a tile's size */
    CHECK(1, 1, 1, 8, "even"),
    CHECK(3, 5, 7, 24, "uniform"),
    CHECK(2, 16, 64, 64, "uniform"),
    CHECK(75, 12, 136, 72, "edges"),
    CHECK(80, 14, 260, 136, "edges"),
    CHECK(20, 9, 130, 200, "one"),
    CHECK(40, 9, 700, 136, "one"),
    CHECK(33, 20, 264, 264, "zipf"),
    CHECK(5, 256, 72, 64, "uniform"),
    CHECK(64, 8, 520, 136, "even"),
    CHECK(300, 16, 776, 1000, "zipf"),
    CHECK(257, 64, 1536, 2056, "uniform"),
    GATHER(1, 1, 1, 8, "even"),
    GATHER(75, 12, 136, 72, "edges"),
    GATHER(33, 20, 264, 264, "zipf"),
    GATHER(20, 9, 130, 200, "one"),
    GATHER(300, 16, 776, 1000, "zipf"),
    V3_UP(1, "uniform", COLD),
    V3_UP(64, "uniform", COLD),
    V3_UP(4096, "uniform", LONG),
    V3_UP(4096, "zipf", LONG),
    V3_DOWN(8, "uniform", COLD),
    V3_DOWN(512, "uniform", COLD),
    QWEN_UP(64, "uniform", COLD),
    QWEN_UP(512, "zipf", COLD),
    QWEN_UP(4096, "uniform", COLD),
    QWEN_UP(4096, "zipf", COLD),
    QWEN_DOWN(4096, "uniform", COLD),
    QWEN_GATHER(64, "uniform", COLD),
    QWEN_GATHER(4096, "uniform", COLD),
    EVEN(LONG),
    GATED(2, 5, 16, 24, "uniform"),
    GATED(75, 12, 144, 72, "edges"),
    GATED(33, 20, 272, 264, "zipf"),
    GATED(64, 8, 528, 136, "even"),
    GATED(257, 64, 1536, 2056, "uniform"),
    QWEN_SWIGLU(4096, "uniform", COLD),
    QWEN_SWIGLU(4096, "zipf", COLD),
    ONE("even_swiglu", 2048, 32, 4096, 7168, "even", LONG),
    FP8("check", 1, 1, 1, 16, "even", KERNEL_CHECK),
    FP8("check", 75, 12, 136, 80, "edges", KERNEL_CHECK),
    FP8("check", 33, 20, 264, 272, "zipf", KERNEL_CHECK),
    FP8("check", 20, 9, 130, 208, "one", KERNEL_CHECK),
    FP8("check", 257, 64, 1536, 2064, "uniform", KERNEL_CHECK),
    FP8("qwen_up_fp8", 4096, 128, 1536, 2048, "uniform", COLD),
    FP8("v3_up_fp8", 64, 256, 4096, 7168, "uniform", COLD),
    FP8("even_fp8", 2048, 32, 4096, 7168, "even", LONG),
};

LAUNCHER(grouped_loop);
LAUNCHER(grouped_padded);
LAUNCHER(grouped_scheduler);
LAUNCHER(grouped_late);
LAUNCHER(grouped_pairs);
LAUNCHER(grouped_halves);
LAUNCHER(grouped_few);
LAUNCHER(grouped_pick);
LAUNCHER(grouped_gather);
LAUNCHER(grouped_swiglu_after);
LAUNCHER(grouped_swiglu);
LAUNCHER(grouped_fp8);
LAUNCHER(grouped_cublas);
LAUNCHER(grouped_batched);
PREPARE(grouped_loop_prepare);
PREPARE(grouped_padded_prepare);
PREPARE(grouped_scheduler_prepare);
PREPARE(grouped_late_prepare);
PREPARE(grouped_pairs_prepare);
PREPARE(grouped_halves_prepare);
PREPARE(grouped_few_prepare);
PREPARE(grouped_pick_prepare);
PREPARE(grouped_gather_prepare);
PREPARE(grouped_swiglu_after_prepare);
PREPARE(grouped_swiglu_prepare);
PREPARE(grouped_fp8_prepare);
PREPARE(grouped_cublas_prepare);
PREPARE(grouped_batched_prepare);
SCRATCH(grouped_padded_scratch);
SCRATCH(grouped_pick_scratch);
SCRATCH(grouped_swiglu_after_scratch);
SCRATCH(grouped_cublas_scratch);
SCRATCH(grouped_batched_scratch);
RELEASE(grouped_release);
RELEASE(grouped_cublas_release);
RELEASE(grouped_batched_release);
const char *cublas_library(void) __attribute__((weak));

/* How many kernels a call enqueues, where it is more than one. A call of the
 * library may use two for a product, whose sum it splits. */
static int a_kernel_each(const struct kernel_case *c)
{
    return routing_of(c)->active;
}

static int two_kernels_each(const struct kernel_case *c)
{
    return 2 * routing_of(c)->active;
}

static int some_kernels(const struct kernel_case *c)
{
    (void)c;
    return 4;
}

/* A step of the ladder: the cases that it can do, how it ends, and how many
 * kernels it takes (NULL: one). */
#define MEMBERS(name, can, words, what, end, kernels)                \
    .id = #name, .title = words, .idea = what, .where = KERNEL_CUDA, \
    .file = "kernels/grouped/" #name ".cu", .supports = can,         \
    .prepare = grouped_##name##_prepare, .launch = grouped_##name,   \
    .release = end, .queued = kernels
#define STEP(name, can, words, what)                           \
    {                                                          \
        MEMBERS(name, can, words, what, grouped_release, NULL) \
    }
#define ONE_BY_ONE(name, can, words, what)                              \
    {                                                                   \
        MEMBERS(name, can, words, what, grouped_release, a_kernel_each) \
    }
/* One that needs memory of its own; a library, which does, too. */
#define WITH_ROOM(name, can, words, what)                               \
    {                                                                   \
        MEMBERS(name, can, words, what, grouped_release, some_kernels), \
            .scratch_bytes = grouped_##name##_scratch                   \
    }
#define LIBRARY(name, words, what, kernels)                                 \
    {                                                                       \
        MEMBERS(name, is_sorted, words, what, grouped_##name##_release,     \
                kernels),                                                   \
            .role = KERNEL_PEER, .scratch_bytes = grouped_##name##_scratch, \
            .library = cublas_library                                       \
    }
TORCH_PRODUCT(grouped_torch, "grouped")

/* PyTorch wants rows of weights that begin at multiples of 16 bytes, too. */
static bool is_for_torch(const struct kernel_case *c)
{
    return is_sorted(c) && number(c, "n") % 8 == 0;
}

static const struct kernel_variant variants[] = {
    ONE_BY_ONE(
        loop, is_sorted, "a launch for each expert",
        "Experts one after the other: most SMs wait while a small one is at "
        "work."),
    WITH_ROOM(padded, is_paddable, "a batch padded to the largest",
              "All experts get as many rows as the largest has, and one launch "
              "does a batch of equal products."),
    STEP(scheduler, is_sorted, "tiles found on the device",
         "One resident block for each SM goes from tile to tile, and finds the "
         "expert of each from where groups begin."),
    STEP(late, is_sorted, "sums that leave late",
         "A tile's outputs leave through the TMA while the products of the "
         "next one run."),
    STEP(pairs, is_sorted, "pairs of blocks share tokens or weights",
         "Two blocks fetch half of the weights each if an expert has tiles for "
         "both, else half of the tokens."),
    STEP(halves, is_sorted, "no products without rows",
         "A warp group whose rows lie behind the expert's last one leaves its "
         "products out."),
    STEP(few, is_sorted, "weights as rows",
         "A product's 64 rows are weights and its columns as many tokens as an "
         "expert has."),
    WITH_ROOM(pick, is_gathered, "tokens copied first",
              "A kernel copies each token to the rows of its experts, and a "
              "second one multiplies."),
    STEP(gather, is_gathered, "tokens fetched from where they stand",
         "A warp group copies tokens to shared memory by their numbers, in the "
         "layout that the TMA would have made."),
    WITH_ROOM(swiglu_after, is_gated, "gates and ups, then their product",
              "Gates and ups go to memory in bf16, and a second kernel makes "
              "outputs of them."),
    STEP(swiglu, is_gated, "gates and ups side by side",
         "Columns of gates and ups take turns in an expert's weights, so a "
         "thread has both, and half as many outputs leave."),
    STEP(fp8, is_fp8, "in FP8, with a scale for each expert",
         "The same tiles with the instruction for e4m3: half of the bytes, and "
         "twice the products in a cycle."),
    LIBRARY(cublas, "cuBLAS, expert by expert",
            "A cublasGemmEx for each expert that has rows, with the algorithm "
            "that the library chooses.",
            two_kernels_each),
    LIBRARY(batched, "cuBLAS, grouped",
            "cublasGemmGroupedBatchedEx: one call of the library for all "
            "experts that have rows.",
            some_kernels),
    TORCH_PRODUCT_ROW("grouped_mm", "PyTorch, _grouped_mm", grouped_torch,
                      is_for_torch,
                      "One call for all experts, whose result is copied."),
};

const struct kernel_family grouped_family = {
    .id = "grouped",
    .title = "Matrix products of experts",
    .problem = "Multiply each token with the weights of the experts that a "
               "router has chosen for it, in bf16 with sums in f32. Rows are "
               "sorted by expert, and each expert multiplies its own by its "
               "own weights: C[i][j] = sum over k of A[i][k] B[g][j][k] for a "
               "row i of expert g. The shapes are the layers of DeepSeek-V3 "
               "(256 experts) and Qwen3-30B-A3B (128), eight experts a token.",
    .metric = "throughput",
    .file = "kernels/grouped/family.c",
    .cases = cases,
    .ncases = sizeof cases / sizeof cases[0],
    .variants = variants,
    .nvariants = sizeof variants / sizeof variants[0],
    .buffers = buffers,
    .model = model,
    .expect = expect,
    .terms = terms,
    .tolerance = tolerance,
    .finite_only = "SwiGLU of a gate far below zero is 0 in f32, and 0 times "
                   "an infinite up is NaN",
    .finite_cases = gated_is,
};

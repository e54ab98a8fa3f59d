/*
 * kernels/gemm8/family.c - C[i][j] = Σ_k A[i][k] B[j][k] in FP8 (e4m3), with
 * scales: a linear layer whose weights and activations are stored in bytes.
 *
 * Scales are one for each tensor, one for each row, or those of DeepSeek-V3:
 * one for each 1 x 128 elements of A and each 128 x 128 of B. Rows of A and B
 * are multiples of 16 bytes, as those of every layer are.
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include <math.h>

#include "kernels/declare.h"
#include "kernels/input.h"
#include "kernels/kernel.h"
#include "kernels/product.h"
#include "kernels/torch_product.h"
#include "kernels/triton_product.h"

enum { A, B, C, A_SCALES, B_SCALES }; /* buffer numbers */

enum {
    BLOCK = 128, /* elements that have a scale in common */
    ALIGN = 4,   /* scales of a block's row in memory, at least */
};

static size_t terms(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "k");
}

static bool scales_are(const struct kernel_case *c, const char *word)
{
    return strcmp(kernel_word(c, "scales"), word) == 0;
}

static size_t blocks_of(size_t n)
{
    return (n + BLOCK - 1) / BLOCK;
}

/* Scales of B from one row of blocks to the next. */
static size_t pitch(const struct kernel_case *c)
{
    return (blocks_of(terms(c)) + ALIGN - 1) / ALIGN * ALIGN;
}

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    const size_t m = (size_t)kernel_num(c, "m"), n = (size_t)kernel_num(c, "n");
    const size_t k = terms(c);
    const bool blocks = scales_are(c, "block");

    b[A] = kernel_in("a", c->dtype, m * k);
    b[B] = kernel_in("b", c->dtype, n * k);
    b[C] = kernel_out("c", KERNEL_BF16, m * n);
    if (scales_are(c, "tensor"))
        return 3;
    b[A_SCALES] =
        kernel_in("a_scales", KERNEL_F32, blocks ? blocks_of(k) * m : m);
    b[B_SCALES] =
        kernel_in("b_scales", KERNEL_F32, blocks ? blocks_of(n) * pitch(c) : n);
    return 5;
}

/* A multiplication and an addition for each output and each k; operands and
 * outputs cross the bus once. */
static void model(const struct kernel_case *c, struct kernel_model *mod)
{
    const int64_t m = kernel_num(c, "m"), n = kernel_num(c, "n");
    const int64_t k = kernel_num(c, "k");
    struct kernel_buffer b[KERNEL_MAX_BUFFERS];
    const size_t count = buffers(c, b);

    mod->flop = 2 * m * n * k;
    mod->bytes_read = m * k + n * k;
    for (size_t i = A_SCALES; i < count; i++)
        mod->bytes_read += 4 * (int64_t)b[i].count;
    mod->bytes_written = 2 * m * n;
    mod->formula = "2 m n k FLOP; 1 B read per element of A and B, 4 B per "
                   "scale of a row or block, 2 B written per element of C";
    mod->unit = "fp8";
    mod->level = "hbm";
}

bool gemm8_product(const struct kernel_case *c, struct kernel_product *p)
{
    const size_t m = (size_t)kernel_num(c, "m"), n = (size_t)kernel_num(c, "n");

    *p = (struct kernel_product){.a = product_rows(A, m, terms(c)),
                                 .b = product_rows(B, n, terms(c)),
                                 .out = product_rows(C, m, n),
                                 .count = 1,
                                 .rows = m,
                                 .cols = n,
                                 .depth = terms(c),
                                 .times = 1,
                                 .sum_bits = 13};
    return scales_are(c, "tensor"); /* whose product is 1 */
}

/* ---- the reference ---- */

enum {
    STEP_OF_MMA = 32, /* products that a tensor core adds up at once */
    MOST = 64,        /* outputs of a row that are computed together */
};

static const double ROUNDING = 0x1p-8; /* to bf16, which has 8 bits */

/* Element i of an input. */
static double input(enum kernel_dtype t, uint64_t seed, unsigned buffer,
                    size_t i)
{
    return (double)input_real(t, seed, buffer, i);
}

/* What the products of output (i, j) in block q of k are multiplied by. */
static double scale(const struct kernel_case *c, uint64_t seed, size_t i,
                    size_t j, size_t q)
{
    const size_t m = (size_t)kernel_num(c, "m");

    if (scales_are(c, "tensor"))
        return 1;
    if (scales_are(c, "row"))
        return input(KERNEL_F32, seed, A_SCALES, i) *
               input(KERNEL_F32, seed, B_SCALES, j);
    return input(KERNEL_F32, seed, A_SCALES, q * m + i) *
           input(KERNEL_F32, seed, B_SCALES, j / BLOCK * pitch(c) + q);
}

/* Of the terms of an output, scales included: their sum, that of their sizes,
 * that of their squares. */
struct sums {
    double sum, size, square;
};

/* The same without scales, for n elements of a row of B from `first` on. */
static struct sums of_block(enum kernel_dtype t, uint64_t seed, const double *x,
                            size_t first, size_t n)
{
    struct sums s = {0, 0, 0};

    for (size_t i = 0; i < n; i++) {
        const double term = x[i] * input(t, seed, B, first + i);

        s.sum += term;
        s.size += fabs(term);
        s.square += term * term;
    }
    return s;
}

/* Scales that count for all of k are multiplied by in the end, as kernels do
 * it: an infinite one makes an infinite output, and not the difference of two.
 */
static void scale_sums(struct sums *s, double by)
{
    s->sum *= by;
    s->size *= fabs(by);
    s->square *= by * by;
}

/* Outputs (i, j[0]) ... (i, j[n - 1]). The row of A is drawn once for all. */
static void expect_row(const struct kernel_case *c, uint64_t seed, size_t i,
                       const size_t *j, size_t n, struct sums *of)
{
    const size_t depth = terms(c);
    const bool blocks = scales_are(c, "block");

    for (size_t k = 0; k < depth; k += BLOCK) {
        const size_t deep = depth - k < BLOCK ? depth - k : BLOCK;
        double x[BLOCK];

        for (size_t e = 0; e < deep; e++)
            x[e] = input(c->dtype, seed, A, i * depth + k + e);
        for (size_t r = 0; r < n; r++) {
            struct sums s = of_block(c->dtype, seed, x, j[r] * depth + k, deep);

            if (blocks)
                scale_sums(&s, scale(c, seed, i, j[r], k / BLOCK));
            of[r].sum += s.sum;
            of[r].size += s.size;
            of[r].square += s.square;
        }
    }
    for (size_t r = 0; r < n && !blocks; r++)
        scale_sums(&of[r], scale(c, seed, i, j[r], 0));
}

/* The magnitude that tolerance() refers to: |y| + what summing up may err by,
 * as in product_expect(). */
static double magnitude_of(const struct kernel_case *c, const struct sums *s)
{
    const size_t k = terms(c), part = scales_are(c, "block") ? BLOCK : k;
    const double most = fmin(s->size, 5 * sqrt(s->square));

    return fabs(s->sum) + (product_rounds(k, 24) * s->size +
                           product_cuts(k, part, STEP_OF_MMA, 13) * most) /
                              ROUNDING;
}

static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t count, double *value,
                   double *magnitude)
{
    const size_t cols = (size_t)kernel_num(c, "n");

    for (size_t at = 0, n; at < count; at += n) {
        const size_t row = idx[at] / cols;
        struct sums of[MOST] = {{0, 0, 0}};
        size_t j[MOST];

        for (n = 0; n < MOST && at + n < count; n++) {
            if (idx[at + n] / cols != row)
                break;
            j[n] = idx[at + n] % cols;
        }
        expect_row(c, seed, row, j, n, of);
        for (size_t r = 0; r < n; r++) {
            value[at + r] = of[r].sum;
            magnitude[at + r] = magnitude_of(c, &of[r]);
        }
    }
}

/*
 * The result is rounded to bf16: 2^-8 |C|. Tensor cores cut off what lies below
 * 2^-13 of the largest in a step of 32 products, all along k or up to the end
 * of a block; additions in f32 round. kernels/product.h has both bounds. A
 * variant that promotes its sums where it need not is held to the looser one.
 */
static double tolerance(const struct kernel_case *c, const char **why)
{
    *why = scales_are(c, "block")
               ? "2^-8 of |C| for the rounding to bf16, sqrt(k) 2^-24 of the "
                 "sum of |a b| for additions in f32, and 2^-13 of the largest "
                 "running sum for each 32 of 128 products on tensor cores"
               : "2^-8 of |C| for the rounding to bf16, sqrt(k) 2^-24 of the "
                 "sum of |a b| for additions in f32, and 2^-13 of the largest "
                 "running sum for each 32 products on tensor cores";
    return ROUNDING;
}

/* ---- cases ---- */

#define ONE(word, m, n, k, which, use) \
    {                                  \
        {{"layer", 0, word},           \
         {"m", m, NULL},               \
         {"n", n, NULL},               \
         {"k", k, NULL},               \
         {"scales", 0, which}},        \
            5, KERNEL_E4M3, use        \
    }
#define CHECK(m, n, k, which) ONE("check", m, n, k, which, KERNEL_CHECK)
#define MEASURE(word, m, n, k, which) \
    ONE(word, m, n, k, which,         \
        KERNEL_MEASURE_CUDA | KERNEL_COLD | KERNEL_FULL | KERNEL_STEADY)

/* Tiny; one tile, and one row more; a slot that is not full; more tiles than
 * multiprocessors, ragged in every direction. */
#define CHECKS(which)                                                \
    CHECK(1, 8, 16, which), CHECK(64, 64, 64, which),                \
        CHECK(128, 256, 128, which), CHECK(129, 264, 144, which),    \
        CHECK(130, 136, 1008, which), CHECK(136, 80, 4096, which),   \
        CHECK(304, 528, 272, which), CHECK(1000, 1000, 1008, which), \
        CHECK(2111, 3208, 528, which), CHECK(4112, 1808, 1040, which)
/* Squares; and of DeepSeek-V3 with 4096 tokens of a prompt the output
 * projection of attention, and that of queries: m tokens, n outputs, k inputs.
 */
#define MEASURES(which)                             \
    MEASURE("square", 4096, 4096, 4096, which),     \
        MEASURE("square", 8192, 8192, 8192, which), \
        MEASURE("v3_o", 4096, 7168, 16384, which),  \
        MEASURE("v3_q", 4096, 24576, 1536, which)

static const struct kernel_case cases[] = {
    CHECKS("tensor"),   CHECKS("row"),   CHECKS("block"),
    MEASURES("tensor"), MEASURES("row"), MEASURES("block"),
};

static bool of_tensors(const struct kernel_case *c)
{
    return scales_are(c, "tensor");
}

static bool of_rows(const struct kernel_case *c)
{
    return scales_are(c, "row");
}

static bool of_blocks(const struct kernel_case *c)
{
    return scales_are(c, "block");
}

/* cuBLAS wants 16 bytes everywhere, and whole blocks where blocks have scales.
 */
static bool by_library(const struct kernel_case *c)
{
    return kernel_num(c, "m") % 16 == 0 && kernel_num(c, "n") % 16 == 0 &&
           (!of_blocks(c) || kernel_num(c, "k") % BLOCK == 0);
}

/* It promotes by itself where blocks have scales, and asks where not. */
static bool by_library_promoted(const struct kernel_case *c)
{
    return by_library(c) && !of_blocks(c);
}

/* A tensor map wants rows of C to be multiples of 16 bytes. */
static bool of_tensors_by_maps(const struct kernel_case *c)
{
    return of_tensors(c) && kernel_num(c, "n") % 8 == 0;
}

/* ---- variants ---- */

LAUNCHER(gemm8_wide);
LAUNCHER(gemm8_late);
LAUNCHER(gemm8_promote);
LAUNCHER(gemm8_overlap);
LAUNCHER(gemm8_direct);
LAUNCHER(gemm8_three);
LAUNCHER(gemm8_rows);
LAUNCHER(gemm8_blocks);
LAUNCHER(gemm8_turns);
LAUNCHER(gemm8_cublas);
PREPARE(gemm8_wide_prepare);
PREPARE(gemm8_late_prepare);
PREPARE(gemm8_promote_prepare);
PREPARE(gemm8_overlap_prepare);
PREPARE(gemm8_direct_prepare);
PREPARE(gemm8_three_prepare);
PREPARE(gemm8_rows_prepare);
PREPARE(gemm8_blocks_prepare);
PREPARE(gemm8_turns_prepare);
PREPARE(gemm8_cublas_prepare);
PREPARE(gemm8_cublas_promoted_prepare);
SCRATCH(gemm8_scales_scratch);
SCRATCH(gemm8_cublas_scratch);
CHOSEN(gemm8_cublas_chosen);
RELEASE(gemm8_maps_release);
RELEASE(gemm8_cublas_release);
const char *cublas_library(void) __attribute__((weak));

TORCH_PRODUCT(gemm8_scaled_mm, "gemm8 scaled_mm")
TORCH_PRODUCT(gemm8_scaled_mm_promoted, "gemm8 scaled_mm promoted")
TRITON_PRODUCT(gemm8)

#define STEP(name, words, what, cases_of, scratch)                       \
    {                                                                    \
        .id = #name, .title = words, .idea = what, .where = KERNEL_CUDA, \
        .file = "kernels/gemm8/" #name ".cu", .supports = cases_of,      \
        .scratch_bytes = scratch, .prepare = gemm8_##name##_prepare,     \
        .launch = gemm8_##name, .release = gemm8_maps_release,           \
    }
#define TENSOR(name, words, what) \
    STEP(name, words, what, of_tensors, gemm8_scales_scratch)
#define CUBLAS(name, words, what, cases_of, prepares)                   \
    {                                                                   \
        .id = name, .title = words, .idea = what, .where = KERNEL_CUDA, \
        .role = KERNEL_PEER, .file = "kernels/gemm8/cublas.cu",         \
        .supports = cases_of, .scratch_bytes = gemm8_cublas_scratch,    \
        .prepare = prepares, .launch = gemm8_cublas,                    \
        .release = gemm8_cublas_release, .library = cublas_library,     \
        .chosen = gemm8_cublas_chosen, .chooses = KERNEL_CHOOSES_ONCE,  \
    }

static const struct kernel_variant variants[] = {
    TENSOR(wide, "128 x 256, in bytes",
           "The frame of gemm16/wide: as many bytes and instructions, twice "
           "the multiply-adds."),
    TENSOR(late, "pairs that stay, and sums that leave later",
           "A block for each SM, B shared by pairs, and sums sent away during "
           "the next products: the frame of gemm16/late."),
    TENSOR(direct, "sums go straight to memory",
           "Four lanes exchange outputs until each has eight columns side by "
           "side, and need no shared memory to store them."),
    TENSOR(promote, "sums in f32",
           "Every 128 of k the tensor cores begin anew, and CUDA cores add up "
           "their parts."),
    TENSOR(overlap, "added during the next products",
           "Two sets of registers for parts, and tiles half as large."),
    TENSOR(three, "three warp groups",
           "A third warp group multiplies while the two others wait and add."),
    STEP(rows, "a scale for each row",
         "Sums are multiplied by the scales of their row and column when they "
         "are rounded.",
         of_rows, NULL),
    STEP(blocks, "a scale for each 128 of k",
         "The addition of a part becomes a multiply-add with the scales of its "
         "row and block.",
         of_blocks, NULL),
    STEP(turns, "a longer part, and turns",
         "Parts of 192 columns, so that additions hide behind the other warp "
         "group's products; a barrier keeps the groups apart.",
         of_blocks, NULL),
    CUBLAS("cublas", "cuBLASLt",
           "The fastest of up to 32 proposals, found by trying once for all "
           "processes; with fast accumulation where it may choose.",
           by_library, gemm8_cublas_prepare),
    CUBLAS("cublas_promoted", "cuBLASLt, sums in f32",
           "The same without fast accumulation.", by_library_promoted,
           gemm8_cublas_promoted_prepare),
    TORCH_PRODUCT_ROW("scaled_mm", "PyTorch, _scaled_mm", gemm8_scaled_mm,
                      by_library,
                      "What PyTorch calls for these scales, with fast "
                      "accumulation where it may choose."),
    TORCH_PRODUCT_ROW("scaled_mm_promoted", "PyTorch, _scaled_mm, sums in f32",
                      gemm8_scaled_mm_promoted, by_library_promoted,
                      "The same without fast accumulation, as it comes."),
    TRITON_PRODUCT_ROW(gemm8, of_tensors_by_maps,
                       "The kernel of gemm16/triton on bytes: the best of five "
                       "tiles, found by trying once for all processes."),
};

const struct kernel_family gemm8_family = {
    .id = "gemm8",
    .title = "Matrix product, FP8",
    .problem = "Multiply two matrices of FP8 numbers (e4m3): C[i][j] = sum "
               "over k of A[i][k] B[j][k], times scales. These are one for a "
               "tensor, one for a row, or one for 128 numbers of a row of A "
               "and for 128 x 128 of B. Results are bf16. The shapes are "
               "squares, and layers of DeepSeek-V3 that read 4096 tokens of a "
               "prompt.",
    .metric = "throughput",
    .file = "kernels/gemm8/family.c",
    .cases = cases,
    .ncases = sizeof cases / sizeof cases[0],
    .variants = variants,
    .nvariants = sizeof variants / sizeof variants[0],
    .buffers = buffers,
    .model = model,
    .expect = expect,
    .terms = terms,
    .tolerance = tolerance,
};

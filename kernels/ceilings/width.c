/*
 * kernels/ceilings/width.c - what the width of wgmma costs: products of 64 rows
 * by n columns, for each n that matters, with the left operand in shared memory
 * or in registers. Nothing else is done, so FLOPs a cycle and joules a FLOP are
 * those of the instruction.
 */
#include "kernels/declare.h"
#include "kernels/ceilings/ceilings.h"
#include "kernels/ceilings/width.h"
#include "kernels/product.h"

enum { D, A, B }; /* buffer numbers */

static size_t number(const struct kernel_case *c, const char *name)
{
    return (size_t)kernel_num(c, name);
}

/* Elements along k: 128 bytes of them. */
static size_t depth(const struct kernel_case *c)
{
    return WIDTH_ROW / kernel_dtype_bytes(c->dtype);
}

static size_t terms(const struct kernel_case *c)
{
    return depth(c);
}

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    const size_t tiles = number(c, "tiles"), n = number(c, "n");

    b[D] = kernel_out("d", KERNEL_F32, tiles * WIDTH_HIGH * n);
    b[A] = kernel_in("a", c->dtype, tiles * WIDTH_HIGH * depth(c));
    b[B] = kernel_in("b", c->dtype, tiles * n * depth(c));
    return 3;
}

static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t tiles = kernel_num(c, "tiles"), n = kernel_num(c, "n");
    const int64_t sums = tiles * width_sums(c);

    *m = (struct kernel_model){
        .flop = 2 * WIDTH_HIGH * n * (int64_t)depth(c) * WIDTH_TIMES * sums,
        .bytes_read = tiles * (WIDTH_HIGH + n) * WIDTH_ROW,
        .bytes_written = 4 * tiles * WIDTH_HIGH * n,
        .formula = "a column takes 4 products of 64 rows with 128 B along k; "
                   "each operand read once, the last sums written once",
        .unit = kernel_word(c, "unit"),
        .level = "hbm"};
}

/* Each sum begins anew, so it is the last one that is left. */
bool ceiling_width_product(const struct kernel_case *c,
                           struct kernel_product *p)
{
    const size_t n = number(c, "n");

    *p = (struct kernel_product){.a = product_rows(A, WIDTH_HIGH, depth(c)),
                                 .b = product_rows(B, n, depth(c)),
                                 .out = product_rows(D, WIDTH_HIGH, n),
                                 .count = number(c, "tiles"),
                                 .rows = WIDTH_HIGH,
                                 .cols = n,
                                 .depth = depth(c),
                                 .times = WIDTH_TIMES,
                                 .sum_bits = c->dtype == KERNEL_E4M3 ? 13 : 23};
    return true;
}

static const double ROUNDING = 0x1p-23; /* what expect() counts errors in */

/* product_expect() knows what a single pass may err by, times the passes. What
 * counts here is the number of additions, and that is of all passes. */
static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    const bool fp8 = c->dtype == KERNEL_E4M3;
    const size_t k = WIDTH_TIMES * depth(c), step = fp8 ? 32 : 16;
    const struct product_error e = {
        .sizes = product_rounds(k, 24) / ROUNDING,
        .most = product_cuts(k, k, step, fp8 ? 13 : 22) / ROUNDING};
    struct kernel_buffer b[KERNEL_MAX_BUFFERS];
    struct kernel_product p;

    buffers(c, b);
    ceiling_width_product(c, &p);
    product_expect(&p, b, seed, e, idx, n, value, magnitude);
}

static double tolerance(const struct kernel_case *c, const char **why)
{
    *why = c->dtype == KERNEL_E4M3
               ? "sqrt(k) 2^-24 of the sum of |a b| for k additions in f32, "
                 "and 2^-13 of the largest running sum for each 32 products"
               : "sqrt(k) 2^-24 of the sum of |a b| for k additions in f32, "
                 "and 2^-22 of the largest running sum for each 16 products";
    return ROUNDING;
}

/* ---- cases ---- */

#define ONE(word, type, n, tiles, columns, use) \
    {                                           \
        {{"unit", 0, word},                     \
         {"n", n, NULL},                        \
         {"tiles", tiles, NULL},                \
         {"columns", columns, NULL}},           \
            4, type, use                        \
    }

/*
 * Three sums of two tiles are for checks.
 *
 * 264 tiles are two for each SM of an H100 or H200. 49152 columns can be made
 * with each n in a whole number of sums. So all cases have the same FLOPs, and
 * the tensor cores need at least 786432 cycles for each. Beside these, the
 * begin and the end of a tile take next to no time.
 */
#define WIDE(word, type, n)                       \
    ONE(word, type, n, 2, 3 * (n), KERNEL_CHECK), \
        ONE(word, type, n, 264, 49152,            \
            KERNEL_MEASURE_CUDA | KERNEL_FULL | KERNEL_HOT | KERNEL_STEADY)
#define UNIT(word, type)                                                    \
    WIDE(word, type, 8), WIDE(word, type, 16), WIDE(word, type, 32),        \
        WIDE(word, type, 64), WIDE(word, type, 128), WIDE(word, type, 192), \
        WIDE(word, type, 256)

static const struct kernel_case cases[] = {
    UNIT("bf16", KERNEL_BF16),
    UNIT("fp8", KERNEL_E4M3),
};

/* ---- variants ---- */

LAUNCHER(ceiling_width_shared);
LAUNCHER(ceiling_width_registers);

#define WAY(name, words, what)                                                 \
    {                                                                          \
        .id = #name, .title = words, .idea = what, .where = KERNEL_CUDA,       \
        .role = KERNEL_CEILING, .file = "kernels/ceilings/width_" #name ".cu", \
        .launch = ceiling_width_##name,                                        \
    }

static const struct kernel_variant variants[] = {
    WAY(shared, "A from shared memory",
        "An instruction reads both operands from shared memory, and 2 KB of A "
        "whatever its width is."),
    WAY(registers, "A from registers",
        "The threads hold A, so only B comes from shared memory."),
};

const struct kernel_family ceiling_width = {
    .id = "ceiling-wgmma-width",
    .title = "Ceiling: wgmma, by its width and by where A lies",
    .problem = "Multiply two small tiles over and over, with instructions of 8 "
               "to 256 columns. All cases do the same FLOPs. What a narrow "
               "instruction takes more is the price of its left operand, which "
               "is as large as that of a wide one.",
    .metric = "throughput",
    .file = "kernels/ceilings/width.c",
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

/*
 * kernels/ceilings/fed.c - what feeding costs: the products of a tile of
 * 128 x 256 outputs, over and over, with operands that stay in shared memory,
 * come from the L2, or come from DRAM. Nothing else is done, so FLOPs a cycle
 * and joules a FLOP are those of the products and of the way of their operands.
 */
#include <string.h>

#include "kernels/declare.h"
#include "kernels/ceilings/ceilings.h"
#include "kernels/ceilings/panels.h"
#include "kernels/product.h"

enum { D, A, B }; /* buffer numbers */

static size_t number(const struct kernel_case *c, const char *name)
{
    return (size_t)kernel_num(c, name);
}

static size_t terms(const struct kernel_case *c)
{
    return number(c, "k");
}

/* Of all groups. */
static size_t rows_of_a(const struct kernel_case *c)
{
    return number(c, "groups") * number(c, "tiles") * FED_HIGH;
}

static size_t rows_of_b(const struct kernel_case *c)
{
    return number(c, "groups") * FED_WIDE;
}

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    b[D] = kernel_out("d", KERNEL_F32, rows_of_a(c) * FED_WIDE);
    b[A] = kernel_in("a", c->dtype, rows_of_a(c) * terms(c));
    b[B] = kernel_in("b", c->dtype, rows_of_b(c) * terms(c));
    return 3;
}

/* Does no pass find in the L2 what the pass before has read? */
static bool streams(const struct kernel_case *c)
{
    return strcmp(kernel_word(c, "from"), "hbm") == 0;
}

static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t times = kernel_num(c, "times"), k = kernel_num(c, "k");
    const int64_t rows = (int64_t)rows_of_a(c);
    const int64_t bytes = c->dtype == KERNEL_E4M3 ? 1 : 2;
    const int64_t all = (rows + (int64_t)rows_of_b(c)) * k * bytes;

    *m = (struct kernel_model){
        .flop = 2 * rows * FED_WIDE * k * times,
        .bytes_read = all * (streams(c) ? times : 1),
        .bytes_written = 4 * rows * FED_WIDE,
        .formula = "2 x 256 k FLOP for each row of A, `times` passes; operands "
                   "read once, or in each pass if no cache holds them; 4 B "
                   "written per sum",
        .unit = kernel_word(c, "unit"),
        .level = "hbm"};
}

/* Each pass begins new sums, so it is the last one whose sums are left. */
bool ceiling_fed_product(const struct kernel_case *c, struct kernel_product *p)
{
    const size_t rows = number(c, "tiles") * FED_HIGH;

    *p = (struct kernel_product){.a = product_rows(A, rows, terms(c)),
                                 .b = product_rows(B, FED_WIDE, terms(c)),
                                 .out = product_rows(D, rows, FED_WIDE),
                                 .count = number(c, "groups"),
                                 .rows = rows,
                                 .cols = FED_WIDE,
                                 .depth = terms(c),
                                 .times = 1,
                                 .sum_bits = c->dtype == KERNEL_E4M3 ? 13 : 23};
    return true;
}

static const double ROUNDING = 0x1p-23; /* what expect() counts errors in */

static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    const bool fp8 = c->dtype == KERNEL_E4M3;
    const size_t k = terms(c), step = FED_PANEL / 4 / (fp8 ? 1 : 2);
    const struct product_error e = {
        .sizes = product_rounds(k, 24) / ROUNDING,
        .most = product_cuts(k, k, step, fp8 ? 13 : 22) / ROUNDING};
    struct kernel_buffer b[KERNEL_MAX_BUFFERS];
    struct kernel_product p;

    buffers(c, b);
    ceiling_fed_product(c, &p);
    product_expect(&p, b, seed, e, idx, n, value, magnitude);
}

static double tolerance(const struct kernel_case *c, const char **why)
{
    *why = c->dtype == KERNEL_E4M3
               ? "sqrt(k) 2^-24 of the sum of |a b| for additions in f32, and "
                 "2^-13 of the largest running sum for each 32 products"
               : "sqrt(k) 2^-24 of the sum of |a b| for additions in f32, and "
                 "2^-22 of the largest running sum for each 16 products";
    return ROUNDING;
}

/* ---- cases ---- */

#define ONE(word, type, where, groups, tiles, k, times, use)                   \
    {                                                                          \
        {{"unit", 0, word},      {"from", 0, where}, {"groups", groups, NULL}, \
         {"tiles", tiles, NULL}, {"k", k, NULL},     {"times", times, NULL}},  \
            6, type, use                                                       \
    }
#define MEASURE(cache) \
    (KERNEL_MEASURE_CUDA | KERNEL_FULL | KERNEL_STEADY | (cache))

/*
 * `panel` is how many elements 128 bytes have. One panel and one tile; fewer
 * panels than slots, as many, and more; passes that do not end with a round of
 * slots.
 *
 * 132 tiles are one for each SM of an H100 or H200. Of B a group of 22 shares
 * the rows, about as many as in a product of matrices. All operands of four
 * panels are 9 MB, which stay in the L2. Those of 256 panels are 600 MB, of
 * which nothing does. Beside 2048 panels, the begin and the end of a tile take
 * next to no time.
 */
#define UNIT(word, type, panel)                                     \
    ONE(word, type, "l2", 1, 1, 1 * (panel), 1, KERNEL_CHECK),      \
        ONE(word, type, "l2", 1, 2, 1 * (panel), 6, KERNEL_CHECK),  \
        ONE(word, type, "l2", 2, 1, 3 * (panel), 3, KERNEL_CHECK),  \
        ONE(word, type, "l2", 3, 2, 4 * (panel), 3, KERNEL_CHECK),  \
        ONE(word, type, "hbm", 2, 2, 7 * (panel), 2, KERNEL_CHECK), \
        ONE(word, type, "l2", 6, 22, FED_SLOTS *(panel), 512,       \
            MEASURE(KERNEL_HOT)),                                   \
        ONE(word, type, "hbm", 6, 22, 64 * FED_SLOTS * (panel), 8,  \
            MEASURE(KERNEL_COLD))

static const struct kernel_case cases[] = {
    UNIT("bf16", KERNEL_BF16, FED_PANEL / 2),
    UNIT("fp8", KERNEL_E4M3, FED_PANEL),
};

/* Do all panels fit into the slots of a block? */
static bool fits(const struct kernel_case *c)
{
    return fed_panels(c) == FED_SLOTS;
}

/* Do the blocks of a group form pairs? */
static bool pairs(const struct kernel_case *c)
{
    return kernel_num(c, "tiles") % 2 == 0;
}

/* ---- variants ---- */

LAUNCHER(ceiling_fed_held);
LAUNCHER(ceiling_fed_own);
LAUNCHER(ceiling_fed_pair);
PREPARE(ceiling_fed_held_prepare);
PREPARE(ceiling_fed_own_prepare);
PREPARE(ceiling_fed_pair_prepare);
RELEASE(ceiling_fed_release);

#define STEP(name, can, words, what)                                         \
    {                                                                        \
        .id = #name, .title = words, .idea = what, .where = KERNEL_CUDA,     \
        .role = KERNEL_CEILING, .file = "kernels/ceilings/fed_" #name ".cu", \
        .supports = can, .prepare = ceiling_fed_##name##_prepare,            \
        .launch = ceiling_fed_##name, .release = ceiling_fed_release,        \
    }

static const struct kernel_variant variants[] = {
    STEP(held, fits, "operands stay in shared memory",
         "A block fetches four panels and multiplies them in turn."),
    STEP(own, NULL, "each block fetches what it needs",
         "The TMA brings 48 KB for each 1024 cycles of products."),
    STEP(pair, pairs, "two blocks share what both need",
         "Each block of a pair fetches half of B for both, so the L2 sends 32 "
         "KB in place of 48."),
};

const struct kernel_family ceiling_fed = {
    .id = "ceiling-wgmma-fed",
    .title = "Ceiling: wgmma, by where operands come from",
    .problem = "Multiply a tile's panels over and over, 128 x 256 outputs for "
               "each block. The panels stay in shared memory, or come anew "
               "each time: from the L2, or from DRAM, for one block or for "
               "two. What one step takes more than the one before it is the "
               "price of that way.",
    .metric = "throughput",
    .file = "kernels/ceilings/fed.c",
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

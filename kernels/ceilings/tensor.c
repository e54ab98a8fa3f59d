/*
 * kernels/ceilings/tensor.c - how fast the tensor cores take mma.sync: tiles
 * multiplied k times over and added up, from registers.
 */
#include <math.h>

#include "kernels/declare.h"
#include "kernels/ceilings/ceilings.h"
#include "kernels/input.h"
#include "kernels/product.h"

enum { D, A, B, ROWS = 16, COLS = 8, DEPTH = 16 };

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    const size_t t = (size_t)kernel_num(c, "tiles");

    b[D] = kernel_out("d", KERNEL_F32, t * ROWS * COLS);
    b[A] = kernel_in("a", KERNEL_BF16, t * ROWS * DEPTH);
    b[B] = kernel_in("b", KERNEL_BF16, t * COLS * DEPTH);
    return 3;
}

static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t t = kernel_num(c, "tiles"), k = kernel_num(c, "k");

    *m = (struct kernel_model){
        .flop = 2 * ROWS * COLS * DEPTH * k * t,
        .bytes_read = 2 * t * (ROWS + COLS) * DEPTH,
        .bytes_written = 4 * t * ROWS * COLS,
        .formula = "per tile k products of 16x16 and 16x8, 2 B read per "
                   "element, 4 B written per sum",
        .unit = kernel_word(c, "unit"),
        .level = "hbm"};
}

bool ceiling_tensor_product(const struct kernel_case *c,
                            struct kernel_product *p)
{
    *p = (struct kernel_product){.a = product_rows(A, ROWS, DEPTH),
                                 .b = product_rows(B, COLS, DEPTH),
                                 .out = product_rows(D, ROWS, COLS),
                                 .count = (size_t)kernel_num(c, "tiles"),
                                 .rows = ROWS,
                                 .cols = COLS,
                                 .depth = DEPTH,
                                 .times = kernel_num(c, "k"),
                                 .sum_bits = 23};
    return true;
}

/* A bf16 below 1 as an fp16: below 2^-14 these are multiples of 2^-24. */
static double fp16(double x)
{
    return fabs(x) < 0x1p-14 ? nearbyint(x * 0x1p24) * 0x1p-24 : x;
}

/*
 * An element as the unit gets it. All formats hold 8 bits; below 2^-14 those of
 * fp16 are multiples of 2^-24.
 */
static double element(const struct kernel_case *c, uint64_t seed,
                      unsigned buffer, size_t i)
{
    const double x = (double)input_bf16(seed, buffer, i);

    return kernel_word(c, "unit")[0] == 'f' ? fp16(x) : x;
}

/* Products of 16 bits, and DEPTH of them: a double rounds them to 2^-53. */
static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    const double k = (double)kernel_num(c, "k");

    for (size_t i = 0; i < n; i++) {
        const size_t tile = idx[i] / (ROWS * COLS);
        const size_t row = idx[i] / COLS % ROWS, col = idx[i] % COLS;
        double sum = 0, size = 0;

        for (size_t j = 0; j < DEPTH; j++) {
            const double p =
                element(c, seed, A, (tile * ROWS + row) * DEPTH + j) *
                element(c, seed, B, (tile * COLS + col) * DEPTH + j);
            sum += p;
            size += fabs(p);
        }
        value[i] = k * sum;
        magnitude[i] = k * size;
    }
}

static size_t terms(const struct kernel_case *c)
{
    (void)c;
    return DEPTH;
}

/*
 * NVIDIA does not specify how a tensor core rounds. Fasi, Higham, Mikaitis and
 * Pranesh (PeerJ Comput. Sci. 7:e330, 2021) found that it cuts off what lies
 * below the last bit of the largest term. Each of k steps loses at most 2^-22
 * of its running sum. The same products are added in each step, so the last
 * running sum is the largest, and k steps lose at most k 2^-22 of it.
 */
static double tolerance(const struct kernel_case *c, const char **why)
{
    *why = "k 2^-22 of k times the sum of |a b|: each of k additions may cut "
           "off 2^-22 of the running sum";
    return (double)kernel_num(c, "k") * 0x1p-22;
}

#define CASE(word, tiles, k, use)                                       \
    {                                                                   \
        {{"unit", 0, word}, {"tiles", tiles, NULL}, {"k", k, NULL}}, 3, \
            KERNEL_BF16, use                                            \
    }
#define UNIT(word)                                                  \
    CASE(word, 1, 1, KERNEL_CHECK), CASE(word, 7, 3, KERNEL_CHECK), \
        CASE(word, 1001, 64, KERNEL_CHECK),                         \
        CASE(word, 1 << 15, 1 << 9,                                 \
             KERNEL_MEASURE_CUDA | KERNEL_HOT | KERNEL_FULL)

static const struct kernel_case cases[] = {
    UNIT("bf16"),
    UNIT("fp16"),
    UNIT("tf32"),
};

LAUNCHER(ceiling_tensor_mma);

static const struct kernel_variant variants[] = {
    {
        .id = "mma",
        .title = "mma.sync from registers",
        .idea = "A warp keeps four tiles in registers and multiplies them in "
                "turn, so that none waits for its own last sum.",
        .where = KERNEL_CUDA,
        .role = KERNEL_CEILING,
        .file = "kernels/ceilings/tensor.cu",
        .launch = ceiling_tensor_mma,
    },
};

const struct kernel_family ceiling_tensor = {
    .id = "ceiling-tensor",
    .title = "Ceiling: tensor cores by mma.sync",
    .problem = "Multiply small tiles over and over from registers: the rate at "
               "which the tensor cores take mma.sync, for each input format. "
               "The warp-group instruction of sm_90a is a ceiling of its own.",
    .metric = "throughput",
    .file = "kernels/ceilings/tensor.c",
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

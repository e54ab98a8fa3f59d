/*
 * kernels/ceilings/wgmma.c - how fast the tensor cores take wgmma, the
 * instruction of sm_90a for a whole warp group: one tile of shared memory
 * multiplied k times over and added up, for each input format.
 */
#include <math.h>

#include "kernels/declare.h"
#include "kernels/ceilings/ceilings.h"
#include "kernels/ceilings/wgmma.h"
#include "kernels/input.h"

enum { D, A, B };

/* Elements of a row: 32 bytes of them. */
static size_t depth(const struct kernel_case *c)
{
    switch (wgmma_unit_of(c)) {
    case WGMMA_TF32:
        return WGMMA_BYTES / 4;
    case WGMMA_FP8:
    case WGMMA_INT8:
        return WGMMA_BYTES;
    default:
        return WGMMA_BYTES / 2;
    }
}

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    const size_t t = (size_t)kernel_num(c, "tiles");

    b[D] = kernel_out("d", KERNEL_F32, t * WGMMA_ROWS * WGMMA_COLS);
    b[A] = kernel_in("a", KERNEL_BF16, t * WGMMA_ROWS * depth(c));
    b[B] = kernel_in("b", KERNEL_BF16, t * WGMMA_COLS * depth(c));
    return 3;
}

static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t t = kernel_num(c, "tiles"), k = kernel_num(c, "k");
    const int64_t deep = (int64_t)depth(c);

    *m = (struct kernel_model){
        .flop = 2 * WGMMA_ROWS * WGMMA_COLS * deep * k * t,
        .bytes_read = 2 * t * (WGMMA_ROWS + WGMMA_COLS) * deep,
        .bytes_written = 4 * t * WGMMA_ROWS * WGMMA_COLS,
        .formula = "per tile k products of 64 and 128 rows of 32 B; each "
                   "operand read once as bf16, 4 B written per sum",
        .unit = kernel_word(c, "unit"),
        .level = "hbm"};
}

static void model_int8(const struct kernel_case *c, struct kernel_model *m)
{
    model(c, m);
    m->op = "multiplication or addition";
}

static double element(const struct kernel_case *c, uint64_t seed,
                      unsigned buffer, size_t i)
{
    const double x = (double)input_bf16(seed, buffer, i);

    return wgmma_unit_of(c) == WGMMA_FP8
               ? floor(x * WGMMA_FP8_STEPS) / WGMMA_FP8_STEPS
               : x;
}

/*
 * How many times the sum holds the product of the two tiles. FP8 begins a new
 * sum with each batch of WGMMA_BATCH products. If k is no multiple of that, the
 * last batches have one product each.
 */
static double times(const struct kernel_case *c)
{
    const int64_t k = kernel_num(c, "k");

    if (wgmma_unit_of(c) != WGMMA_FP8)
        return (double)k;
    return k % WGMMA_BATCH ? 1 : WGMMA_BATCH;
}

/* Products of multiples of 2^-7 at most: sums are exact in a double. */
static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    const double k = times(c);
    const size_t deep = depth(c);

    for (size_t i = 0; i < n; i++) {
        const size_t tile = idx[i] / (WGMMA_ROWS * WGMMA_COLS);
        const size_t row = tile * WGMMA_ROWS + idx[i] / WGMMA_COLS % WGMMA_ROWS;
        const size_t col = tile * WGMMA_COLS + idx[i] % WGMMA_COLS;
        double sum = 0, size = 0;

        for (size_t j = 0; j < deep; j++) {
            const double p = element(c, seed, A, row * deep + j) *
                             element(c, seed, B, col * deep + j);
            sum += p;
            size += fabs(p);
        }
        value[i] = k * sum;
        magnitude[i] = k * size;
    }
}

static size_t terms(const struct kernel_case *c)
{
    return depth(c);
}

/*
 * As with mma.sync (tensor.c), an addition cuts off what lies below 2^-22 of
 * the running sum. For FP8, Hopper aligns the products of an instruction and
 * the running sum to the largest of them. It keeps 13 bits behind the point of
 * the largest (DeepSeek-V3 technical report, arXiv 2412.19437, section 3.3.2,
 * says about 14 bits). So each product may lose 2^-13 of the running sum.
 */
static double tolerance(const struct kernel_case *c, const char **why)
{
    switch (wgmma_unit_of(c)) {
    case WGMMA_INT8:
        *why = "2^-24: integer sums are exact, and rounded once to f32";
        return 0x1p-24;
    case WGMMA_FP8:
        *why = "2^-5 of 8 times the sum of |a b|: each of 32 products of each "
               "of 8 instructions may lose 2^-13 of the running sum";
        return WGMMA_BATCH * WGMMA_BYTES * 0x1p-13;
    default:
        *why = "k 2^-22 of k times the sum of |a b|: each of k additions may "
               "cut off 2^-22 of the running sum";
        return times(c) * 0x1p-22;
    }
}

/* 528 tiles are one for each of the four warp groups of the 132 SMs of an H100
 * or H200. Beside 2^12 products, the begin and the end of a tile take next to
 * no time. */
#define CASE(word, tiles, k, use)                                       \
    {                                                                   \
        {{"unit", 0, word}, {"tiles", tiles, NULL}, {"k", k, NULL}}, 3, \
            KERNEL_BF16, use                                            \
    }
#define UNIT(word)                                                  \
    CASE(word, 1, 1, KERNEL_CHECK), CASE(word, 7, 3, KERNEL_CHECK), \
        CASE(word, 133, 64, KERNEL_CHECK),                          \
        CASE(word, 528, 1 << 12,                                    \
             KERNEL_MEASURE_CUDA | KERNEL_HOT | KERNEL_SUSTAINED |  \
                 KERNEL_STEADY)

static const struct kernel_case cases[] = {
    UNIT("bf16"),
    UNIT("fp16"),
    UNIT("tf32"),
    UNIT("fp8"),
};

static const struct kernel_case int8_cases[] = {UNIT("int8")};

LAUNCHER(ceiling_tensor_wgmma);

static const struct kernel_variant variants[] = {
    {
        .id = "wgmma",
        .title = "wgmma from shared memory",
        .idea = "A warp group multiplies the same two tiles of shared memory "
                "over and over, eight instructions at a time.",
        .where = KERNEL_CUDA,
        .role = KERNEL_CEILING,
        .file = "kernels/ceilings/wgmma.cu",
        .launch = ceiling_tensor_wgmma,
    },
};

#define PROBLEM                                                             \
    "Multiply two tiles of shared memory over and over: the rate at which " \
    "the tensor cores take the warp-group instruction of sm_90a. Nothing "  \
    "else is done, so a matrix product can come close to it, not beyond."

const struct kernel_family ceiling_wgmma = {
    .id = "ceiling-wgmma",
    .title = "Ceiling: tensor cores by wgmma",
    .problem = PROBLEM,
    .metric = "throughput",
    .file = "kernels/ceilings/wgmma.c",
    .cases = cases,
    .ncases = sizeof cases / sizeof cases[0],
    .variants = variants,
    .nvariants = sizeof variants / sizeof variants[0],
    .buffers = buffers,
    .model = model,
    .expect = expect,
    .terms = terms,
    .tolerance = tolerance,
    .finite_only = "integers and FP8 have no infinities, and a tile is one "
                   "sum of all it reads",
};

const struct kernel_family ceiling_wgmma_int8 = {
    .id = "ceiling-wgmma-int8",
    .title = "Ceiling: tensor cores by wgmma, integers",
    .problem = PROBLEM,
    .metric = "rate",
    .file = "kernels/ceilings/wgmma.c",
    .cases = int8_cases,
    .ncases = sizeof int8_cases / sizeof int8_cases[0],
    .variants = variants,
    .nvariants = sizeof variants / sizeof variants[0],
    .buffers = buffers,
    .model = model_int8,
    .expect = expect,
    .terms = terms,
    .tolerance = tolerance,
    .finite_only = "integers have neither",
};

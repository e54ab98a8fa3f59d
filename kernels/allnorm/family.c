/*
 * kernels/allnorm/family.c - an all-reduce with the residual and the RMSNorm
 * that follow it, on every GPU. allnorm.h has the formulas.
 *
 * As in kernels/allreduce/, two calls in a row cannot overlap (KERNEL_MEETS).
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "kernels/allnorm/allnorm.h"
#include "kernels/bf16.h"
#include "kernels/declare.h"
#include "kernels/input.h"
#include "kernels/made.h"

/* ---- residual and weights: the same on all GPUs ---- */

enum { MADE_SEED = 20, RESIDUALS = KERNEL_MADE_MOST, GAINS = ALLNORM_MOST / 2 };

/* Pairs of bf16. Each case has the first ones. */
static int32_t residuals[RESIDUALS], gains[GAINS];
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make(int32_t *to, size_t n, unsigned number)
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t first = bf16_round(input_bf16(MADE_SEED, number, 2 * i));
        const uint32_t second =
            bf16_round(input_bf16(MADE_SEED, number, 2 * i + 1));

        to[i] = (int32_t)(second << 16 | first);
    }
}

static void make_all(void)
{
    make(residuals, RESIDUALS, ALLNORM_R);
    make(gains, GAINS, ALLNORM_W);
}

static double residual_at(size_t i)
{
    const uint32_t pair = (uint32_t)residuals[i / 2];

    return (double)(i % 2 ? bf16_second(pair) : bf16_first(pair));
}

static double gain_at(size_t column)
{
    const uint32_t pair = (uint32_t)gains[column / 2];

    return (double)(column % 2 ? bf16_second(pair) : bf16_first(pair));
}

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    const size_t n = allnorm_count(c);

    pthread_once(&made, make_all);
    b[ALLNORM_X] = kernel_in("x", KERNEL_BF16, n);
    b[ALLNORM_W] = kernel_made("w", gains, (size_t)allnorm_hidden(c) / 2);
    b[ALLNORM_R] = kernel_made("r", residuals, n / 2);
    b[ALLNORM_H] = kernel_out("h", KERNEL_BF16, n);
    b[ALLNORM_Y] = kernel_out("y", KERNEL_BF16, n);
    return ALLNORM_SCRATCH;
}

/*
 * The least that passes NVLink is what an all-reduce needs: whoever has h can
 * compute y. Memory moves eight bytes for a number, x, r, h and y, and is ten
 * times as fast.
 */
static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t gpus = kernel_gpus(c), bytes = 2 * (int64_t)allnorm_count(c);

    *m = (struct kernel_model){.level = "nvlink"};
    m->bytes_read = 2 * (gpus - 1) * bytes / gpus;
    m->bytes_written = m->bytes_read;
    m->formula = "2 (gpus - 1) / gpus of a matrix of 2 tokens hidden bytes "
                 "arrive at each GPU, and as many leave it; residual and norm "
                 "need no byte of NVLink";
}

/* ---- the reference ---- */

/* A number of h, and how far off the nearest bf16 it may be. */
struct number {
    double value, off;
};

struct row {
    double factor;
    double error; /* of the factor, relative */
};

/* Half a unit in the last place of a bf16 of that size. */
static double half_unit(double v)
{
    int exponent;

    if (!isfinite(v) || v == 0)
        return 0;
    frexp(v, &exponent); /* |v| in [2^(exponent-1), 2^exponent) */
    return ldexp(1, exponent - 9);
}

/* Are the numbers of x multiples of 2^-7? */
static bool on_grid(uint64_t seed)
{
    return input_kind(seed) != INPUT_FULL && input_kind(seed) != INPUT_GRID;
}

/*
 * Multiples of 2^-7 up to 2 are bf16, so sums are exact in any order while the
 * sizes of their terms add up to no more, and h has one right value. Otherwise
 * see tolerance().
 */
static struct number number_at(const struct kernel_case *c, uint64_t seed,
                               size_t i)
{
    const int gpus = kernel_gpus(c);
    const double r = residual_at(i);
    double sum = 0, size = 0;
    struct number h;

    for (int g = 0; g < gpus; g++) {
        const double x =
            (double)input_bf16(seed, kernel_gpu_input(g, ALLNORM_X), i);

        sum += x;
        size += fabs(x);
    }
    h.off = isfinite(size) && !(on_grid(seed) && size <= 2)
                ? (gpus - 1) * half_unit(size) + 2 * half_unit(size + fabs(r)) +
                      gpus * 0x1p-24 * size
                : 0;
    h.value = (double)bf16_value(bf16_round((float)(sum + r)));
    return h;
}

static struct row row_of(const struct kernel_case *c, uint64_t seed,
                         size_t begin)
{
    const int hidden = allnorm_hidden(c);
    double squares = 0, off = 0;
    struct row row;

    for (int i = 0; i < hidden; i++) {
        const struct number h = number_at(c, seed, begin + (size_t)i);

        squares += h.value * h.value;
        off += h.off * h.off;
    }
    row.factor = 1 / sqrt(squares / hidden + (double)ALLNORM_EPS);
    row.error = 0x1p-24 * (24 + sqrt(hidden) / 4) +
                (squares > 0 ? sqrt(off / squares) : 0);
    return row;
}

static const double BF16 = 0x1p-8;

static void expect_y(const struct number *h, const struct row *row, double w,
                     double *value, double *magnitude)
{
    const double y = h->value * row->factor * w;
    const double off = fabs(y) * row->error + fabs(h->off * row->factor * w);

    *value = y;
    *magnitude = fabs(y) + (1 + BF16) * (1 + row->error) * off / BF16;
}

/* h of a GPU comes before its y. Outputs of a row come together, so what they
 * share is computed once. */
static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    const size_t all = allnorm_count(c), hidden = (size_t)allnorm_hidden(c);
    size_t known = SIZE_MAX;
    struct row row = {0};

    pthread_once(&made, make_all);
    for (size_t k = 0; k < n; k++) {
        const size_t of = idx[k] % (2 * all), i = of % all;
        const struct number h = number_at(c, seed, i);

        if (of < all) {
            value[k] = h.value;
            magnitude[k] = h.off / BF16;
            continue;
        }
        if (i / hidden != known) {
            known = i / hidden;
            row = row_of(c, seed, known * hidden);
        }
        expect_y(&h, &row, gain_at(i % hidden), &value[k], &magnitude[k]);
    }
}

static size_t terms(const struct kernel_case *c)
{
    return (size_t)allnorm_hidden(c);
}

/*
 * 2^-8 of what expect() calls the magnitude:
 *
 *   h is exact where a sum in bf16 is: always with two GPUs, whose sum is no
 *   greater than 2 on the grid. Otherwise gpus - 1 additions and that of the
 *   residual round, each by half a unit of a partial sum, which is no greater
 *   than the sum of all sizes; and the value that it is compared with is
 *   rounded, too.
 *
 *   y is rounded, which errs by 2^-8 |y|. Its factor errs by (24 + sqrt(hidden)
 *   / 4) 2^-24 in f32 (kernels/norm/family.c derives it), and, where h is off,
 *   by |off| / |h| of the row at most, as Cauchy and Schwarz have it.
 */
static double tolerance(const struct kernel_case *c, const char **why)
{
    (void)c;
    *why = "h exact where sums are, else half a unit of bf16 for each "
           "rounding; y 2^-8 for its own rounding, and what h and a factor in "
           "f32 err by";
    return BF16;
}

#define CASE(gpus, tokens, hidden, use)          \
    {                                            \
        {{"gpus", gpus, NULL},                   \
         {"tokens", tokens, NULL},               \
         {"hidden", hidden, NULL}},              \
            3, KERNEL_BF16, (use) | KERNEL_MEETS \
    }
#define CHECK(gpus, tokens, hidden) CASE(gpus, tokens, hidden, KERNEL_CHECK)
#define HOT(gpus, tokens, hidden) \
    CASE(gpus, tokens, hidden, KERNEL_MEASURE_CUDA | KERNEL_HOT)
#define HOTS(gpus)                                                    \
    HOT(gpus, 1, 4096), HOT(gpus, 8, 4096), HOT(gpus, 64, 4096),      \
        HOT(gpus, 512, 4096), HOT(gpus, 1, 8192), HOT(gpus, 8, 8192), \
        HOT(gpus, 64, 8192), HOT(gpus, 256, 8192)

static const struct kernel_case cases[] = {
    /* a vector; packets that end within a row; more rows than GPUs, and fewer;
       a row that fills all threads twice; more rows than blocks */
    CHECK(2, 1, 8),
    CHECK(2, 3, 1000),
    CHECK(2, 7, 16),
    CHECK(2, 2, 4104),
    CHECK(2, 1, 8192),
    CHECK(3, 2, 24),
    CHECK(3, 4, 1016),
    CHECK(4, 1, 8),
    CHECK(4, 3, 2056),
    CHECK(4, 9, 40),
    CHECK(2, 300, 512),
    CHECK(4, 400, 1024),
    HOTS(2),
    HOTS(4),
};

LAUNCHER(allnorm_apart);
LAUNCHER(allnorm_fused);
LAUNCHER(allnorm_marked);
LAUNCHER(allnorm_shares);
LAUNCHER(allnorm_factor);
LAUNCHER(allnorm_relay);
LAUNCHER(allnorm_nccl);
SCRATCH(allnorm_apart_scratch);
SCRATCH(allnorm_fused_scratch);
SCRATCH(allnorm_marked_scratch);
SCRATCH(allnorm_shares_scratch);
SCRATCH(allnorm_factor_scratch);
SCRATCH(allnorm_relay_scratch);
SCRATCH(allnorm_nccl_scratch);
PREPARE(allnorm_apart_prepare);
PREPARE(allnorm_nccl_prepare);
__attribute__((weak)) const char *allnorm_nccl_library(void);

#define STEP(name, words, what)                                             \
    {                                                                       \
        .id = #name, .title = words, .idea = what, .where = KERNEL_CUDA,    \
        .file = "kernels/allnorm/" #name ".cu",                             \
        .scratch_bytes = allnorm_##name##_scratch, .launch = allnorm_##name \
    }

static const struct kernel_variant variants[] = {
    {
        .id = "apart",
        .title = "an all-reduce, then a norm",
        .idea = "Two kernels: packets or shares, whichever suits the size, "
                "then residual and norm.",
        .where = KERNEL_CUDA,
        .file = "kernels/allnorm/apart.cu",
        .scratch_bytes = allnorm_apart_scratch,
        .prepare = allnorm_apart_prepare,
        .launch = allnorm_apart,
    },
    STEP(fused, "the norm where packets arrive",
         "The block that adds up a row of packets has it in registers, and "
         "does the rest, too."),
    STEP(marked, "vectors without a ticket",
         "An empty place shows that nothing came, so all sixteen bytes of a "
         "store are data."),
    STEP(shares, "a share of the rows for each",
         "Each GPU adds up and normalises rows of its own, and stores both "
         "results into the memory of all."),
    STEP(factor, "a factor in place of the norm",
         "The owner of a row sends its sum and one number, and whoever gets "
         "them multiplies."),
    STEP(relay, "shares without a meeting",
         "Marked vectors go to the owner of a row, and its sum goes to all "
         "as marked vectors."),
    {
        .id = "nccl",
        .title = "NCCL, then our norm",
        .idea = "ncclAllReduce, and the kernel that follows our own "
                "all-reduce.",
        .where = KERNEL_CUDA,
        .role = KERNEL_PEER,
        .file = "kernels/allnorm/nccl.cu",
        .scratch_bytes = allnorm_nccl_scratch,
        .prepare = allnorm_nccl_prepare,
        .launch = allnorm_nccl,
        .library = allnorm_nccl_library,
    },
};

const struct kernel_family allnorm_family = {
    .id = "allnorm",
    .title = "All-reduce with residual and norm",
    .problem = "Every GPU has a part of the same rows. Their sum is added to "
               "the residual, and every GPU gets the new residual and its "
               "RMSNorm: what follows the output and the down projection of a "
               "layer that is cut across GPUs. All GPUs get the same bits.",
    .metric = "bandwidth",
    .file = "kernels/allnorm/family.c",
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

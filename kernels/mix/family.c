/*
 * kernels/mix/family.c - reads and writes in several proportions.
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include "kernels/declare.h"
#include "kernels/input.h"
#include "kernels/mix/mix.h"

#include <math.h>

enum { TOTAL = 3 << 28 }; /* floats of all streams together: 3 GiB */

static size_t length(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "n");
}

static unsigned reads(const struct kernel_case *c)
{
    return (unsigned)kernel_num(c, "reads");
}

static unsigned writes(const struct kernel_case *c)
{
    return (unsigned)kernel_num(c, "writes");
}

/* Outputs as buffers: without writes there is one of sums. */
static unsigned outputs(const struct kernel_case *c)
{
    return writes(c) > 0 ? writes(c) : 1;
}

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    static const char *const out[] = {"out0", "out1", "out2"};
    static const char *const in[] = {"in0", "in1", "in2"};
    const size_t n = length(c);

    if (writes(c) == 0)
        b[0] = kernel_out("sums", KERNEL_F32, mix_pages(n));
    for (unsigned j = 0; j < writes(c); j++)
        b[j] = kernel_out(out[j], KERNEL_F32, n);
    for (unsigned j = 0; j < reads(c); j++)
        b[outputs(c) + j] = kernel_in(in[j], KERNEL_F32, n);
    return outputs(c) + reads(c);
}

static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t n = kernel_num(c, "n");
    const int64_t sums = writes(c) > 0 ? 0 : (int64_t)mix_pages(length(c));

    *m = (struct kernel_model){
        .flop = reads(c) > 1 || writes(c) == 0 ? n * (int64_t)reads(c) : 0,
        .bytes_read = 4 * n * (int64_t)reads(c),
        .bytes_written = 4 * (n * (int64_t)writes(c) + sums),
        .formula = "4 B per element of each input and of each output",
        .unit = "fp32",
        .level = "hbm",
    };
}

/* --- the reference --- */

/* The inputs' sum at element i, and the sum of their sizes. */
static void add_inputs(const struct kernel_case *c, uint64_t seed, size_t i,
                       double *sum, double *size)
{
    for (unsigned j = 0; j < reads(c); j++) {
        const double x = (double)input_f32(seed, outputs(c) + j, i);

        *sum += x;
        *size += fabs(x);
    }
}

static void expect_page(const struct kernel_case *c, uint64_t seed, size_t page,
                        double *value, double *magnitude)
{
    const size_t n = length(c), begin = page * MIX_PAGE;

    for (size_t i = begin; i < n && i < begin + MIX_PAGE; i++)
        add_inputs(c, seed, i, value, magnitude);
}

static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    for (size_t k = 0; k < n; k++) {
        const size_t i = idx[k] % length(c);
        double add = (double)(idx[k] / length(c));

        value[k] = magnitude[k] = 0;
        if (writes(c) == 0) {
            expect_page(c, seed, idx[k], &value[k], &magnitude[k]);
            continue;
        }
        if (reads(c) == 0)
            add += (double)(i % MIX_CYCLE);
        add_inputs(c, seed, i, &value[k], &magnitude[k]);
        value[k] += add;
        magnitude[k] += add;
    }
}

static size_t terms(const struct kernel_case *c)
{
    const size_t n = length(c);

    if (writes(c) == 0)
        return reads(c) * (n < MIX_PAGE ? n : MIX_PAGE);
    return reads(c) + 1;
}

/* u = 2^-24. A page is a chain of additions as those of stream's read. */
static double tolerance(const struct kernel_case *c, const char **why)
{
    const double u = 0x1p-24;

    if (writes(c) == 0) {
        *why = "8u of the sum of |x| over the page: additions of values with "
               "mean 0, in any order (derived for reduce)";
        return 8 * u;
    }
    *why = "u of the sum of the terms' sizes for each of at most 3 additions";
    return 3 * u;
}

/* --- cases --- */

/* share: writes in percent of all accesses, rounded; the x of a plot */
#define MIX(r, w, n, use)                                              \
    {                                                                  \
        {{"reads", r, NULL},                                           \
         {"writes", w, NULL},                                          \
         {"share", (100 * (w) + ((r) + (w)) / 2) / ((r) + (w)), NULL}, \
         {"n", n, NULL}},                                              \
            4, KERNEL_F32, use                                         \
    }
#define ALL(n, use)                                              \
    MIX(1, 0, n, use), MIX(3, 1, n, use), MIX(2, 1, n, use),     \
        MIX(1, 1, n, use), MIX(1, 2, n, use), MIX(1, 3, n, use), \
        MIX(0, 1, n, use)
#define BIG(r, w) \
    MIX(r, w, TOTAL / ((r) + (w)), KERNEL_MEASURE_CUDA | KERNEL_COLD)

static const struct kernel_case cases[] = {
    /* around one vector, one block, one page, and primes */
    ALL(1, KERNEL_CHECK),
    ALL(5, KERNEL_CHECK),
    ALL(1023, KERNEL_CHECK),
    ALL(1025, KERNEL_CHECK),
    ALL(65537, KERNEL_CHECK),
    ALL(1000003, KERNEL_CHECK),
    BIG(1, 0),
    BIG(3, 1),
    BIG(2, 1),
    BIG(1, 1),
    BIG(1, 2),
    BIG(1, 3),
    BIG(0, 1),
    MIX(2, 1, 1 << 24, KERNEL_MEASURE_CUDA | KERNEL_COLD),
    MIX(2, 1, 1 << 22, KERNEL_MEASURE_CPU | KERNEL_COLD),
};

LAUNCHER(mix_vector);
C_LAUNCHER(mix_c_scalar);

static const struct kernel_variant variants[] = {
    {
        .id = "c_scalar",
        .title = "plain C loop",
        .idea = "One element of all streams after the other, on one CPU "
                "thread.",
        .where = KERNEL_CPU,
        .file = "kernels/mix/c_scalar.c",
        .launch = mix_c_scalar,
    },
    {
        .id = "vector",
        .title = "16 bytes per access",
        .idea = "A thread for four neighbouring elements of every stream.",
        .where = KERNEL_CUDA,
        .file = "kernels/mix/vector.cu",
        .launch = mix_vector,
    },
};

const struct kernel_family mix_family = {
    .id = "mix",
    .title = "Reads and writes",
    .problem = "Read some arrays and write others, element by element, three "
               "gibibytes in all. Only the proportion of reads and writes "
               "changes, so the bandwidth says what the memory loses when it "
               "turns from one to the other.",
    .metric = "bandwidth",
    .file = "kernels/mix/family.c",
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

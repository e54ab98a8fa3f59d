/*
 * kernels/ceilings/chain.c - arithmetic over its intensity: y[i] is x[i] after
 * k dependent steps, each with the same operation.
 *
 * `fma`: v = v / 2 + 1/4, which tends to 1/2. `special`: v = 2^-v, which tends
 * to 0.64. Both contract, so errors do not grow with k.
 */
#include <math.h>

#include "kernels/declare.h"
#include "kernels/ceilings/ceilings.h"
#include "kernels/input.h"

enum { Y, X };

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    const size_t n = (size_t)kernel_num(c, "n");

    b[Y] = kernel_out("y", KERNEL_F32, n);
    b[X] = kernel_in("x", KERNEL_F32, n);
    return 2;
}

static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t n = kernel_num(c, "n");

    *m = (struct kernel_model){.flop = 2 * n * kernel_num(c, "k"),
                               .bytes_read = 4 * n,
                               .bytes_written = 4 * n,
                               .formula = "k multiplications and additions per "
                                          "element, 4 B read, 4 B written",
                               .unit = "fp32",
                               .level = "hbm"};
}

static void model_special(const struct kernel_case *c, struct kernel_model *m)
{
    model(c, m);
    m->flop /= 2;
    m->formula = "k powers of two per element, 4 B read, 4 B written";
    m->unit = NULL;
    m->op = "power of two";
}

static void expect_chain(double (*step)(double), const struct kernel_case *c,
                         uint64_t seed, const size_t *idx, size_t n,
                         double *value, double *magnitude)
{
    const int64_t k = kernel_num(c, "k");

    for (size_t j = 0; j < n; j++) {
        double v = (double)input_f32(seed, X, idx[j]);

        for (int64_t i = 0; i < k; i++)
            v = step(v);
        value[j] = v;
        magnitude[j] = 1;
    }
}

static double fma_step(double v)
{
    return v * 0.5 + 0.25;
}

static double special_step(double v)
{
    return exp2(-v);
}

static void expect_fma(const struct kernel_case *c, uint64_t seed,
                       const size_t *idx, size_t n, double *value,
                       double *magnitude)
{
    expect_chain(fma_step, c, seed, idx, n, value, magnitude);
}

static void expect_special(const struct kernel_case *c, uint64_t seed,
                           const size_t *idx, size_t n, double *value,
                           double *magnitude)
{
    expect_chain(special_step, c, seed, idx, n, value, magnitude);
}

static size_t terms(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "k");
}

static double tolerance_fma(const struct kernel_case *c, const char **why)
{
    (void)c;
    *why = "2^-23: a step halves the error it finds and adds 2^-24, as halving "
           "is exact and the result is below 1";
    return 0x1p-23;
}

/* A step multiplies the error that it finds by its slope, ln 2 · 2^-v: at most
 * 1.4 in the first step, 0.7 after it. */
static double tolerance_special(const struct kernel_case *c, const char **why)
{
    (void)c;
    *why = "2^-19: a power errs by 2^-22 of its value, 2 at most, in the first "
           "step, 1 after it, and a step keeps less than 0.7 of what it finds";
    return 0x1p-19;
}

/* A variant has eight vectors of four in flight; odd lengths leave a rest. */
#define CASE(n, k, use)                                      \
    {                                                        \
        {{"n", n, NULL}, {"k", k, NULL}}, 2, KERNEL_F32, use \
    }
#define CUDA(k) CASE(1 << 26, k, KERNEL_MEASURE_CUDA | KERNEL_HOT)
#define LOAD(k) \
    CASE(1 << 26, k, KERNEL_MEASURE_CUDA | KERNEL_HOT | KERNEL_SUSTAINED)
#define CPU(k) CASE(1 << 18, k, KERNEL_MEASURE_CPU | KERNEL_HOT)

static const struct kernel_case cases[] = {
    CASE(1, 1, KERNEL_CHECK),
    CASE(2, 3, KERNEL_CHECK),
    CASE(1023, 8, KERNEL_CHECK),
    CASE(65537, 40, KERNEL_CHECK),
    CUDA(1),
    CUDA(2),
    CUDA(4),
    CUDA(8),
    CUDA(16),
    CUDA(32),
    CUDA(64),
    CUDA(128),
    CUDA(256),
    CUDA(512),
    CUDA(1024),
    LOAD(2048),
    CPU(1),
    CPU(8),
    CPU(64),
};

LAUNCHER(ceiling_chain_fma);
LAUNCHER(ceiling_chain_special);
C_LAUNCHER(ceiling_chain_c);

static const struct kernel_variant fma_variants[] = {
    {
        .id = "c_chain",
        .title = "C, vectors and threads",
        .idea = "Eight vectors side by side, each a chain of its own.",
        .where = KERNEL_CPU,
        .role = KERNEL_CEILING,
        .file = "kernels/ceilings/chain_c.c",
        .launch = ceiling_chain_c,
    },
    {
        .id = "chain",
        .title = "four chains a thread",
        .idea = "Four independent chains per thread and full occupancy, so "
                "that none waits for its own last step.",
        .where = KERNEL_CUDA,
        .role = KERNEL_CEILING,
        .file = "kernels/ceilings/chain.cu",
        .launch = ceiling_chain_fma,
    },
};

static const struct kernel_variant special_variants[] = {
    {
        .id = "ex2",
        .title = "ex2.approx",
        .idea = "The same chains through the special function units.",
        .where = KERNEL_CUDA,
        .role = KERNEL_CEILING,
        .file = "kernels/ceilings/chain.cu",
        .launch = ceiling_chain_special,
    },
};

const struct kernel_family ceiling_fma = {
    .id = "ceiling-fma",
    .title = "Ceiling: multiply and add, by intensity",
    .problem = "Read a number, apply k multiply-adds that depend on each "
               "other, write it back: with growing k the roofline from memory "
               "to arithmetic.",
    .metric = "throughput",
    .file = "kernels/ceilings/chain.c",
    .cases = cases,
    .ncases = sizeof cases / sizeof cases[0],
    .variants = fma_variants,
    .nvariants = sizeof fma_variants / sizeof fma_variants[0],
    .buffers = buffers,
    .model = model,
    .expect = expect_fma,
    .terms = terms,
    .tolerance = tolerance_fma,
};

const struct kernel_family ceiling_special = {
    .id = "ceiling-special",
    .title = "Ceiling: special functions",
    .problem = "Read a number, take k powers of two that depend on each other, "
               "write it back: the rate of the special function units.",
    .metric = "rate",
    .file = "kernels/ceilings/chain.c",
    .cases = cases,
    .ncases = sizeof cases / sizeof cases[0],
    .variants = special_variants,
    .nvariants = sizeof special_variants / sizeof special_variants[0],
    .buffers = buffers,
    .model = model_special,
    .expect = expect_special,
    .terms = terms,
    .tolerance = tolerance_special,
};

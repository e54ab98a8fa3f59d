/*
 * kernels/ceilings/atomic.c - atomic additions to m places in global memory:
 * element i goes to place i mod m.
 */
#include <math.h>

#include "kernels/declare.h"
#include "kernels/ceilings/ceilings.h"
#include "kernels/input.h"

enum { SUMS, X };

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    b[SUMS] = kernel_out("sums", KERNEL_F32, (size_t)kernel_num(c, "m"));
    b[X] = kernel_in("x", KERNEL_F32, (size_t)kernel_num(c, "n"));
    return 2;
}

static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t n = kernel_num(c, "n");

    *m = (struct kernel_model){.flop = n,
                               .bytes_read = 4 * n,
                               .bytes_written = 4 * kernel_num(c, "m"),
                               .formula = "one atomic addition and 4 B read "
                                          "per element, 4 B written per place",
                               .level = "hbm",
                               .op = "atomic addition"};
}

static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    const size_t m = (size_t)kernel_num(c, "m");
    const size_t end = (size_t)kernel_num(c, "n");

    for (size_t k = 0; k < n; k++) {
        value[k] = magnitude[k] = 0;
        for (size_t i = idx[k]; i < end; i += m) {
            const double x = (double)input_f32(seed, X, i);

            value[k] += x;
            magnitude[k] += fabs(x);
        }
    }
}

static size_t terms(const struct kernel_case *c)
{
    const size_t n = (size_t)kernel_num(c, "n"), m = (size_t)kernel_num(c, "m");

    return (n + m - 1) / m;
}

/* One chain of additions in any order: kernels/reduce/family.c derives it. */
static double tolerance(const struct kernel_case *c, const char **why)
{
    (void)c;
    *why = "8u of the sum of |x|: ten standard deviations of one chain of "
           "additions, u n / sqrt(6), for inputs with mean 0";
    return 8 * 0x1p-24;
}

#define CASE(n, m, use)                                      \
    {                                                        \
        {{"n", n, NULL}, {"m", m, NULL}}, 2, KERNEL_F32, use \
    }
#define CUDA(m) CASE(1 << 22, m, KERNEL_MEASURE_CUDA | KERNEL_HOT)

static const struct kernel_case cases[] = {
    CASE(1, 1, KERNEL_CHECK),
    CASE(3, 7, KERNEL_CHECK),
    CASE(4099, 1, KERNEL_CHECK),
    CASE(65537, 33, KERNEL_CHECK),
    CUDA(1),
    CUDA(32),
    CUDA(1 << 10),
    CUDA(1 << 20),
};

LAUNCHER(ceiling_atomic_add);

static const struct kernel_variant variants[] = {
    {
        .id = "add",
        .title = "red.global.add",
        .idea = "Every thread adds its element to its place; clearing the "
                "places is part of the time.",
        .where = KERNEL_CUDA,
        .role = KERNEL_CEILING,
        .file = "kernels/ceilings/atomic.cu",
        .launch = ceiling_atomic_add,
    },
};

const struct kernel_family ceiling_atomic = {
    .id = "ceiling-atomic",
    .title = "Ceiling: atomic additions",
    .problem = "Add numbers to m places in global memory, atomically: from one "
               "place that all fight for to a million.",
    .metric = "rate",
    .file = "kernels/ceilings/atomic.c",
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

/*
 * kernels/{name}/family.c - out[i] = 2 x[i] + 1: its cost, its reference
 * and its variants. kernels/kernel.h of Ridgepoint explains each member.
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include "kernels/declare.h"
#include "kernels/input.h"

#include <math.h>

enum { OUT, X }; /* numbers of the buffers */

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    const size_t n = (size_t)kernel_num(c, "n");

    b[OUT] = kernel_out("out", KERNEL_F32, n);
    b[X] = kernel_in("x", KERNEL_F32, n);
    return 2;
}

/* Every element of every operand crosses the memory bus once. */
static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t n = kernel_num(c, "n");

    *m = (struct kernel_model){
        .flop = 2 * n,
        .bytes_read = 4 * n,
        .bytes_written = 4 * n,
        .formula = "4 B read, 4 B written and 2 FLOP per element",
        .unit = "fp32",
        .level = "hbm",
    };
}

/* The reference, in fp64; it shares no code with a variant. */
static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    (void)c;
    for (size_t k = 0; k < n; k++) {
        const double x = (double)input_f32(seed, X, idx[k]);

        value[k] = 2 * x + 1;
        magnitude[k] = fabs(2 * x) + 1;
    }
}

/* Input elements that one output depends on. */
static size_t terms(const struct kernel_case *c)
{
    (void)c;
    return 1;
}

static double tolerance(const struct kernel_case *c, const char **why)
{
    (void)c;
    *why = "2u of |2 x| + 1: one rounding each for product and sum";
    return 2 * 0x1p-24;
}

#define CASE(n, use)                         \
    {                                        \
        {{"n", n, NULL}}, 1, KERNEL_F32, use \
    }
#define MEASURED KERNEL_MEASURE_CPU | KERNEL_MEASURE_CUDA

/* Odd and tiny sizes are checked, the others are measured, too. */
static const struct kernel_case cases[] = {
    CASE(1, KERNEL_CHECK),
    CASE(31, KERNEL_CHECK),
    CASE(257, KERNEL_CHECK),
    CASE(65537, KERNEL_CHECK),
    CASE(1 << 18, MEASURED | KERNEL_HOT),
    CASE(1 << 22, MEASURED | KERNEL_COLD),
};

C_LAUNCHER({name}_loop);
LAUNCHER({name}_simple);

static const struct kernel_variant variants[] = {
    {
        .id = "loop",
        .title = "plain C loop",
        .idea = "A loop over all elements, on one CPU thread.",
        .where = KERNEL_CPU,
        .file = "kernels/{name}/loop.c",
        .launch = {name}_loop,
    },
    {
        .id = "simple",
        .title = "one element per thread",
        .idea = "A GPU thread for every element.",
        .where = KERNEL_CUDA,
        .file = "kernels/{name}/simple.cu",
        .launch = {name}_simple,
    },
};

const struct kernel_family {name}_family = {
    .id = "{name}",
    .title = "{title}",
    .problem = "Compute each output from one input: out = 2 x + 1. The "
               "arithmetic is next to nothing, so memory decides.",
    .metric = "bandwidth",
    .file = "kernels/{name}/family.c",
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

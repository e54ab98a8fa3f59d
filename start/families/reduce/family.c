/*
 * kernels/{name}/family.c - the sum of n floats: its cost, its reference
 * and its variants. kernels/kernel.h of Ridgepoint explains each member.
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include "kernels/declare.h"
#include "kernels/input.h"

#include <math.h>

enum { SUM, X }; /* numbers of the buffers */

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    b[SUM] = kernel_out("sum", KERNEL_F32, 1);
    b[X] = kernel_in("x", KERNEL_F32, (size_t)kernel_num(c, "n"));
    return 2;
}

/* Every element of every operand crosses the memory bus once. */
static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t n = kernel_num(c, "n");

    *m = (struct kernel_model){
        .flop = n,
        .bytes_read = 4 * n,
        .bytes_written = 4,
        .formula = "4 B read and 1 FLOP per element, 4 B written",
        .unit = "fp32",
        .level = "hbm",
    };
}

/* The reference, in fp64; it shares no code with a variant. */
static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    const size_t terms = (size_t)kernel_num(c, "n");

    for (size_t k = 0; k < n; k++) {
        value[k] = magnitude[k] = 0;
        for (size_t i = 0; i < terms; i++) {
            const double x = (double)input_f32(seed, X, i);

            value[k] += x;
            magnitude[k] += fabs(x);
        }
    }
    (void)idx; /* there is one output */
}

/* Input elements that one output depends on. */
static size_t terms(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "n");
}

static double tolerance(const struct kernel_case *c, const char **why)
{
    *why = "a chain of n/1024 additions and a tree of 12 more round once each";
    return ((double)kernel_num(c, "n") / 1024 + 12) * 0x1p-24;
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
    CASE(1025, KERNEL_CHECK),
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
        .idea = "A loop that adds in double precision, on one CPU thread.",
        .where = KERNEL_CPU,
        .file = "kernels/{name}/loop.c",
        .launch = {name}_loop,
    },
    {
        .id = "simple",
        .title = "one block",
        .idea = "A block of 1024 threads adds everything, then halves.",
        .where = KERNEL_CUDA,
        .file = "kernels/{name}/simple.cu",
        .launch = {name}_simple,
    },
};

const struct kernel_family {name}_family = {
    .id = "{name}",
    .title = "{title}",
    .problem = "Add up all elements of an array. Each is read once, so "
               "memory decides.",
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

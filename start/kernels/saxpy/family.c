/*
 * kernels/saxpy/family.c - out = a x + y: the problem, its cost, its reference
 * and its variants. A folder of kernels/ with a family.c is a family, and
 * NAME_family is its table; kernels/kernel.h of Ridgepoint explains each
 * member.
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include "kernels/declare.h"
#include "kernels/input.h"
#include "kernels/saxpy/saxpy.h"

#include <math.h>

enum { OUT, X, Y }; /* numbers of the buffers */

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    const size_t n = (size_t)kernel_num(c, "n");

    b[OUT] = kernel_out("out", KERNEL_F32, n);
    b[X] = kernel_in("x", KERNEL_F32, n);
    b[Y] = kernel_in("y", KERNEL_F32, n);
    return 3;
}

/* Every element of every operand crosses the memory bus once. */
static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t n = kernel_num(c, "n");

    *m = (struct kernel_model){
        .flop = 2 * n,
        .bytes_read = 8 * n,
        .bytes_written = 4 * n,
        .formula = "8 B read, 4 B written and 2 FLOP per element",
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
        const double ax = (double)SAXPY_A * (double)input_f32(seed, X, idx[k]);
        const double y = (double)input_f32(seed, Y, idx[k]);

        value[k] = ax + y;
        magnitude[k] = fabs(ax) + fabs(y);
    }
}

static size_t terms(const struct kernel_case *c)
{
    (void)c;
    return 2;
}

static double tolerance(const struct kernel_case *c, const char **why)
{
    (void)c;
    *why = "2u of |a x| + |y|: one rounding each for product and sum";
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

C_LAUNCHER(saxpy_loop);
C_LAUNCHER(saxpy_threads);
LAUNCHER(saxpy_simple);

static const struct kernel_variant variants[] = {
    {
        .id = "loop",
        .title = "plain C loop",
        .idea = "The loop as the textbook has it, on one CPU thread.",
        .where = KERNEL_CPU,
        .file = "kernels/saxpy/loop.c",
        .launch = saxpy_loop,
    },
    {
        .id = "threads",
        .title = "C, all cores",
        .idea = "The same loop, and every core takes a share.",
        .where = KERNEL_CPU,
        .file = "kernels/saxpy/threads.c",
        .launch = saxpy_threads,
    },
    {
        .id = "simple",
        .title = "one element per thread",
        .idea = "A GPU thread for every element.",
        .where = KERNEL_CUDA,
        .file = "kernels/saxpy/simple.cu",
        .launch = saxpy_simple,
    },
};

const struct kernel_family saxpy_family = {
    .id = "saxpy",
    .title = "Scale and add",
    .problem = "Add a multiple of one array to another: out = a x + y. The "
               "arithmetic is next to nothing, so memory decides.",
    .metric = "bandwidth",
    .file = "kernels/saxpy/family.c",
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

/*
 * kernels/{name}/family.c - C = A B in f32: its cost, its reference
 * and its variants. kernels/kernel.h of Ridgepoint explains each member.
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include "kernels/declare.h"
#include "kernels/input.h"
#include "kernels/product.h"

#include <math.h>

enum { A, B, C }; /* numbers of the buffers */

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    const size_t m = (size_t)kernel_num(c, "m"), n = (size_t)kernel_num(c, "n");
    const size_t k = (size_t)kernel_num(c, "k");

    b[A] = kernel_in("a", KERNEL_F32, m * k);
    b[B] = kernel_in("b", KERNEL_F32, k * n);
    b[C] = kernel_out("c", KERNEL_F32, m * n);
    return 3;
}

/* Every element of every operand crosses the memory bus once. */
static void model(const struct kernel_case *c, struct kernel_model *mod)
{
    const int64_t m = kernel_num(c, "m"), n = kernel_num(c, "n");
    const int64_t k = kernel_num(c, "k");

    *mod = (struct kernel_model){
        .flop = 2 * m * n * k,
        .bytes_read = 4 * (m * k + k * n),
        .bytes_written = 4 * m * n,
        .formula = "2 m n k FLOP; 4 B read per element of A and B, 4 B "
                   "written per element of C",
        .unit = "fp32",
        .level = "hbm",
    };
}

/* All outputs are compared bit for bit, on inputs whose sums are exact. */
bool {name}_product(const struct kernel_case *c, struct kernel_product *p)
{
    const size_t m = (size_t)kernel_num(c, "m"), n = (size_t)kernel_num(c, "n");
    const size_t k = (size_t)kernel_num(c, "k");

    *p = (struct kernel_product){.a = product_rows(A, m, k),
                                 .b = {.buffer = B, .row = 1, .col = n},
                                 .out = product_rows(C, m, n),
                                 .count = 1,
                                 .rows = m,
                                 .cols = n,
                                 .depth = k,
                                 .times = 1,
                                 .sum_bits = 23};
    return true;
}

/* The reference, in fp64; it shares no code with a variant. */
static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    const size_t cols = (size_t)kernel_num(c, "n");
    const size_t depth = (size_t)kernel_num(c, "k");

    for (size_t o = 0; o < n; o++) {
        const size_t i = idx[o] / cols, j = idx[o] % cols;

        value[o] = magnitude[o] = 0;
        for (size_t k = 0; k < depth; k++) {
            const double term = (double)input_f32(seed, A, i * depth + k) *
                                (double)input_f32(seed, B, k * cols + j);

            value[o] += term;
            magnitude[o] += fabs(term);
        }
    }
}

/* Input elements that one output depends on. */
static size_t terms(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "k");
}

static double tolerance(const struct kernel_case *c, const char **why)
{
    *why = "k additions and k products round once each";
    return 2 * (double)kernel_num(c, "k") * 0x1p-24;
}

#define CASE(m, n, k, use)                                                    \
    {                                                                         \
        {{"m", m, NULL}, {"n", n, NULL}, {"k", k, NULL}}, 3, KERNEL_F32, use  \
    }
#define MEASURED KERNEL_MEASURE_CPU | KERNEL_MEASURE_CUDA

/* Odd and tiny sizes are checked, the others are measured, too. */
static const struct kernel_case cases[] = {
    CASE(1, 1, 1, KERNEL_CHECK),
    CASE(3, 5, 7, KERNEL_CHECK),
    CASE(33, 17, 40, KERNEL_CHECK),
    CASE(129, 130, 131, KERNEL_CHECK),
    CASE(512, 512, 512, MEASURED | KERNEL_HOT),
};

C_LAUNCHER({name}_loop);
LAUNCHER({name}_simple);

static const struct kernel_variant variants[] = {
    {
        .id = "loop",
        .title = "plain C loop",
        .idea = "Three loops, the innermost along rows, on one CPU thread.",
        .where = KERNEL_CPU,
        .file = "kernels/{name}/loop.c",
        .launch = {name}_loop,
    },
    {
        .id = "simple",
        .title = "one output per thread",
        .idea = "A GPU thread for every element of C.",
        .where = KERNEL_CUDA,
        .file = "kernels/{name}/simple.cu",
        .launch = {name}_simple,
    },
};

const struct kernel_family {name}_family = {
    .id = "{name}",
    .title = "{title}",
    .problem = "Multiply two matrices: C = A B. Each element of C is a sum of "
               "k products, so arithmetic decides.",
    .metric = "throughput",
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

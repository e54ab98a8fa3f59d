/*
 * kernels/ceilings/grid.c - how long a barrier of all blocks takes: a sum is
 * handed from block to block, with a barrier over the whole grid at each step.
 * Block r mod (number of blocks) adds x[r] in round r, so a barrier that lets a
 * block through too early shows in the sum.
 */
#include "kernels/declare.h"
#include "kernels/ceilings/ceilings.h"

enum { SUM, X };

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    b[SUM] = kernel_out("sum", KERNEL_F32, 1);
    b[X] = kernel_in("x", KERNEL_F32, (size_t)kernel_num(c, "rounds"));
    return 2;
}

static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t n = kernel_num(c, "rounds");

    *m = (struct kernel_model){.flop = n,
                               .bytes_read = 4 * n,
                               .bytes_written = 4,
                               .formula = "one barrier over all blocks and one "
                                          "addition per round",
                               .level = "cache",
                               .op = "barrier"};
}

static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    (void)idx;
    for (size_t k = 0; k < n; k++)
        ceiling_sum(seed, X, (size_t)kernel_num(c, "rounds"), 1, &value[k],
                    &magnitude[k]);
}

static size_t terms(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "rounds");
}

static double tolerance(const struct kernel_case *c, const char **why)
{
    *why = "2^-24 of the sum of |x| for each addition, the bound that always "
           "holds";
    return (double)kernel_num(c, "rounds") * 0x1p-24;
}

#define CASE(rounds, use)                              \
    {                                                  \
        {{"rounds", rounds, NULL}}, 1, KERNEL_F32, use \
    }

static const struct kernel_case cases[] = {
    CASE(1, KERNEL_CHECK),
    CASE(7, KERNEL_CHECK),
    CASE(1001, KERNEL_CHECK),
    CASE(1000, KERNEL_MEASURE_CUDA | KERNEL_HOT),
};

LAUNCHER(ceiling_grid_barrier);

/* A counter. */
static size_t scratch(const struct kernel_case *c, const struct kernel_env *env)
{
    (void)c;
    (void)env;
    return sizeof(unsigned);
}

static const struct kernel_variant variants[] = {
    {
        .id = "barrier",
        .title = "one counter for all blocks",
        .idea = "A block per multiprocessor arrives at one counter and waits "
                "for it to reach the round.",
        .where = KERNEL_CUDA,
        .role = KERNEL_CEILING,
        .file = "kernels/ceilings/grid.cu",
        .scratch_bytes = scratch,
        .launch = ceiling_grid_barrier,
    },
};

const struct kernel_family ceiling_grid = {
    .id = "ceiling-grid",
    .title = "Ceiling: a barrier over the grid",
    .problem = "Let all multiprocessors wait for each other, a thousand times: "
               "what a step of a kernel costs that needs the whole device to "
               "agree.",
    .metric = "latency",
    .file = "kernels/ceilings/grid.c",
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

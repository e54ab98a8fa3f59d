/*
 * kernels/ceilings/l2.c - how fast the L2 can be read: all SMs add up an array
 * `passes` times, by loads that bypass the L1. Writes need no such family: an
 * L1 holds none back, so the memory sweep's writes show the L2 already.
 */
#include "kernels/ceilings/ceilings.h"
#include "kernels/ceilings/sweep.h"
#include "kernels/declare.h"

enum { OUT, B };

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    b[OUT] = kernel_out("sum", KERNEL_F32, 1);
    b[B] = kernel_in("b", KERNEL_F32, (size_t)kernel_num(c, "n"));
    return 2;
}

static void model(const struct kernel_case *c, struct kernel_model *m)
{
    *m = (struct kernel_model){
        .bytes_read = 4 * kernel_num(c, "n") * kernel_num(c, "passes"),
        .formula = "sum of b: 4 B read per element and pass",
        .level = "cache"};
}

static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    (void)idx;
    for (size_t k = 0; k < n; k++)
        ceiling_sum(seed, B, (size_t)kernel_num(c, "n"),
                    (double)kernel_num(c, "passes"), &value[k], &magnitude[k]);
}

static size_t terms(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "n");
}

/* u = 2^-24; for the sum see kernels/reduce/family.c. */
static double tolerance(const struct kernel_case *c, const char **why)
{
    (void)c;
    *why = "8u of the sum of |b|: ten standard deviations of one chain of "
           "additions, u n / sqrt(6), for inputs with mean 0";
    return 8 * 0x1p-24;
}

#define CASE(n, passes, use)                                           \
    {                                                                  \
        {{"n", n, NULL}, {"passes", passes, NULL}}, 2, KERNEL_F32, use \
    }

/* A call reads 4 GiB, which takes the better part of a millisecond. */
#define MIB(n) CASE((n) << 18, 4096 / (n), KERNEL_MEASURE_CUDA | KERNEL_HOT)

static const struct kernel_case cases[] = {
    CASE(1, 3, KERNEL_CHECK),
    CASE(4099, 2, KERNEL_CHECK),
    CASE(1000003, 3, KERNEL_CHECK),
    MIB(4),
    MIB(8),
    MIB(16),
    MIB(24),
    MIB(32),
    MIB(40),
    MIB(48),
    MIB(64),
    MIB(128),
};

LAUNCHER(ceiling_l2_read);

static size_t scratch(const struct kernel_case *c, const struct kernel_env *env)
{
    (void)c;
    (void)env;
    return sizeof(struct memory_scratch);
}

static const struct kernel_variant variants[] = {
    {
        .id = "read",
        .title = "loads that bypass the L1",
        .idea = "All threads read one array over and over, 16 bytes at a time "
                "and several loads under way per thread, by ld.global.cg.",
        .where = KERNEL_CUDA,
        .role = KERNEL_CEILING,
        .file = "kernels/ceilings/l2.cu",
        .scratch_bytes = scratch,
        .launch = ceiling_l2_read,
    },
};

const struct kernel_family ceiling_l2 = {
    .id = "ceiling-l2",
    .title = "Ceiling: L2, by working set",
    .problem = "Read an array over and over with loads that bypass the L1, on "
               "all multiprocessors: as long as it fits, how fast the L2 is, "
               "and beyond that how soon it stops helping.",
    .metric = "bandwidth",
    .file = "kernels/ceilings/l2.c",
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

/*
 * kernels/ceilings/latency.c - how long one load takes, by the size of what it
 * is loaded from. One thread follows a chain of pointers through all lines; how
 * far along the chain it gets, modulo the lines, is the result.
 */
#include "kernels/ceilings/ceilings.h"
#include "kernels/ceilings/latency.h"
#include "kernels/declare.h"

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    (void)c;
    b[0] = kernel_out("end", KERNEL_I32, 1);
    return 1;
}

/* No L2 holds more than a few per cent of a gigabyte. Shared memory is counted
   as a cache: so few bytes are nobody's roof. */
static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t loads = kernel_num(c, "loads");
    const bool far = kernel_num(c, "lines") >= 1 << 23;

    *m = (struct kernel_model){.flop = loads,
                               .bytes_read = 8 * loads,
                               .bytes_written = 4,
                               .formula = "a pointer of 8 B per load, each at "
                                          "the address that the last one read",
                               .level = far ? "hbm" : "cache",
                               .op = "load"};
}

static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    (void)seed;
    (void)idx;
    for (size_t k = 0; k < n; k++)
        value[k] = magnitude[k] =
            (double)(kernel_num(c, "loads") % kernel_num(c, "lines"));
}

static size_t terms(const struct kernel_case *c)
{
    (void)c;
    return 1;
}

static double tolerance(const struct kernel_case *c, const char **why)
{
    (void)c;
    *why = "a count is exact";
    return 0;
}

/* Lines are a power of two, and loads no multiple of them: 0 is no result. */
#define CASE(lines, loads, use)                                              \
    {                                                                        \
        {{"lines", lines, NULL}, {"loads", loads, NULL}}, 2, KERNEL_I32, use \
    }
#define CUDA(lines) CASE(lines, 30000, KERNEL_MEASURE_CUDA | KERNEL_HOT)

static const struct kernel_case cases[] = {
    CASE(2, 1, KERNEL_CHECK),
    CASE(64, 7, KERNEL_CHECK),
    CASE(256, 1001, KERNEL_CHECK),
    CASE(2048, 4099, KERNEL_CHECK),
    CASE(8192, 9000, KERNEL_CHECK),
    CUDA(1 << 7),  /* 16 KiB */
    CUDA(1 << 8),  /* 32 KiB */
    CUDA(1 << 10), /* 128 KiB */
    CUDA(1 << 11), /* 256 KiB */
    CUDA(1 << 13), /* 1 MiB */
    CUDA(1 << 16), /* 8 MiB */
    CUDA(1 << 17), /* 16 MiB */
    CUDA(1 << 18), /* 32 MiB */
    CUDA(1 << 19), /* 64 MiB */
    CUDA(1 << 21), /* 256 MiB */
    CUDA(1 << 24), /* 2 GiB */
};

LAUNCHER(ceiling_latency_shared);
LAUNCHER(ceiling_latency_ca);
LAUNCHER(ceiling_latency_cg);
PREPARE(ceiling_latency_prepare);

static bool fits_shared(const struct kernel_case *c)
{
    return kernel_num(c, "lines") <= LATENCY_SHARED;
}

/* The chain, and its head. */
static size_t scratch(const struct kernel_case *c, const struct kernel_env *env)
{
    (void)env;
    return ((size_t)kernel_num(c, "lines") + 1) * LATENCY_LINE;
}

static const struct kernel_variant variants[] = {
    {
        .id = "shared",
        .title = "ld.shared",
        .idea = "The chain is copied into shared memory and followed there.",
        .where = KERNEL_CUDA,
        .role = KERNEL_CEILING,
        .file = "kernels/ceilings/latency.cu",
        .supports = fits_shared,
        .scratch_bytes = scratch,
        .prepare = ceiling_latency_prepare,
        .launch = ceiling_latency_shared,
    },
    {
        .id = "ca",
        .title = "ld.global.ca",
        .idea = "Loads that the L1 may serve, then the L2, then DRAM.",
        .where = KERNEL_CUDA,
        .role = KERNEL_CEILING,
        .file = "kernels/ceilings/latency.cu",
        .scratch_bytes = scratch,
        .prepare = ceiling_latency_prepare,
        .launch = ceiling_latency_ca,
    },
    {
        .id = "cg",
        .title = "ld.global.cg",
        .idea = "Loads that bypass the L1: the L2 serves them, then DRAM.",
        .where = KERNEL_CUDA,
        .role = KERNEL_CEILING,
        .file = "kernels/ceilings/latency.cu",
        .scratch_bytes = scratch,
        .prepare = ceiling_latency_prepare,
        .launch = ceiling_latency_cg,
    },
};

const struct kernel_family ceiling_latency = {
    .id = "ceiling-latency",
    .title = "Ceiling: latency of a load, by working set",
    .problem = "One thread follows a chain of pointers through lines in random "
               "order. No load can begin before the last one has ended, so the "
               "time per load is the latency of the level that serves it.",
    .metric = "latency",
    .file = "kernels/ceilings/latency.c",
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

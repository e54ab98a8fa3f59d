/*
 * kernels/sectors/family.c - the same number of floats, read from places in a
 * row, apart, askew and at random.
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include "kernels/declare.h"
#include "kernels/input.h"
#include "kernels/sectors/sectors.h"

#include <string.h>

enum {
    X = 1,            /* buffer number of the input */
    LENGTH = 1 << 25, /* floats that are used: 128 MiB */
    LENGTH_CPU = 1 << 21,
};

static const char *const names[] = {
    [SECTORS_STRIDE] = "stride",
    [SECTORS_SHIFT] = "shift",
    [SECTORS_RANDOM] = "random",
    [SECTORS_RECORD] = "record",
};

enum sectors_pattern sectors_pattern_of(const struct kernel_case *c)
{
    const char *word = kernel_word(c, "pattern");
    int p = SECTORS_STRIDE;

    while (p < SECTORS_RECORD && strcmp(word, names[p]) != 0)
        p++;
    return (enum sectors_pattern)p;
}

static size_t length(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "n");
}

/* Elements that lie between the first that may be read and the last. */
static size_t extent(const struct kernel_case *c)
{
    const size_t step = (size_t)kernel_num(c, "step");

    switch (sectors_pattern_of(c)) {
    case SECTORS_STRIDE:
        return length(c) * step;
    case SECTORS_SHIFT:
        return length(c) + step;
    case SECTORS_RANDOM:
        return (size_t)1 << sectors_table_bits(c);
    default:
        return length(c);
    }
}

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    b[0] = kernel_out("sums", KERNEL_F32, sectors_sums(c));
    b[X] = kernel_in("x", KERNEL_F32, extent(c));
    return 2;
}

/* Counts the bytes that are used. How many more must move is the family's
 * question. */
static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t n = kernel_num(c, "n");

    *m = (struct kernel_model){
        .flop = n,
        .bytes_read = 4 * n,
        .bytes_written = 4 * (n / SECTORS_READS),
        .formula = "4 B used and 1 FLOP per read, 4 B written for each 16 "
                   "reads",
        .unit = "fp32",
        .level = "hbm",
    };
}

/* --- the reference --- */

/* What place() of sectors.h computes, in other words: before and after the
 * product, the high half of the bits is added to the low half without carry. */
static uint64_t place(uint64_t p, int bits)
{
    const uint64_t pieces = 1ull << bits, half = 1ull << (bits / 2);

    p = p ^ (p / half);
    p = p * SECTORS_FACTOR % pieces;
    return p ^ (p / half);
}

/* The pattern of a case, which all its reads follow. */
struct reads {
    enum sectors_pattern pattern;
    size_t step;
    int bits;
};

static size_t element(const struct reads *r, size_t t, size_t k)
{
    const size_t row = t / 32 * 512 + k * 32 + t % 32;

    switch (r->pattern) {
    case SECTORS_STRIDE:
        return row * r->step;
    case SECTORS_SHIFT:
        return row + r->step;
    case SECTORS_RANDOM:
        return (size_t)place(row / r->step, r->bits) * r->step + row % r->step;
    default:
        return 16 * t + k;
    }
}

static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    const struct reads r = {sectors_pattern_of(c),
                            (size_t)kernel_num(c, "step"), sectors_bits(c)};

    for (size_t i = 0; i < n; i++) {
        value[i] = magnitude[i] = 0;
        for (size_t k = 0; k < SECTORS_READS; k++) {
            const double x = (double)input_f32(seed, X, element(&r, idx[i], k));

            value[i] += x;
            magnitude[i] += fabs(x);
        }
    }
}

static size_t terms(const struct kernel_case *c)
{
    (void)c;
    return SECTORS_READS;
}

static double tolerance(const struct kernel_case *c, const char **why)
{
    (void)c;
    *why = "2^-24 of the sum of |x| for each of 16 additions, the bound that "
           "always holds";
    return SECTORS_READS * 0x1p-24;
}

/* --- cases --- */

#define CASE(n, pattern, step, use)                                         \
    {                                                                       \
        {{"n", n, NULL}, {"pattern", 0, pattern}, {"step", step, NULL}}, 3, \
            KERNEL_F32, use                                                 \
    }
#define READ(pattern, step) \
    CASE(LENGTH, pattern, step, KERNEL_MEASURE_CUDA | KERNEL_COLD)
#define ON_CPU(pattern, step) \
    CASE(LENGTH_CPU, pattern, step, KERNEL_MEASURE_CPU | KERNEL_COLD)

/* n is a multiple of 512: whole warps. */
static const struct kernel_case cases[] = {
    CASE(512, "stride", 1, KERNEL_CHECK),
    CASE(512, "stride", 3, KERNEL_CHECK),
    CASE(2560, "stride", 32, KERNEL_CHECK),
    CASE(512, "shift", 1, KERNEL_CHECK),
    CASE(8704, "shift", 7, KERNEL_CHECK),
    CASE(512, "random", 1, KERNEL_CHECK),
    CASE(16896, "random", 8, KERNEL_CHECK),
    CASE(512000, "random", 64, KERNEL_CHECK),
    CASE(512, "record", 16, KERNEL_CHECK),
    CASE(4608, "record", 16, KERNEL_CHECK),
    READ("stride", 1),
    READ("stride", 2),
    READ("stride", 4),
    READ("stride", 8),
    READ("stride", 16),
    READ("stride", 32),
    READ("shift", 1),
    READ("shift", 8),
    READ("random", 1),
    READ("random", 2),
    READ("random", 4),
    READ("random", 8),
    READ("random", 16),
    READ("random", 32),
    READ("random", 64),
    READ("record", 16),
    ON_CPU("stride", 1),
    ON_CPU("stride", 16),
    ON_CPU("random", 1),
};

/* Sectors that stand alone, or in twos and fours. */
static bool is_sparse(const struct kernel_case *c)
{
    const int64_t step = kernel_num(c, "step");
    const enum sectors_pattern p = sectors_pattern_of(c);

    return (p == SECTORS_STRIDE || p == SECTORS_RANDOM) && step >= 8 &&
           step <= 32;
}

static bool is_record(const struct kernel_case *c)
{
    return sectors_pattern_of(c) == SECTORS_RECORD;
}

LAUNCHER(sectors_scalar);
LAUNCHER(sectors_fetch);
PREPARE(sectors_fetch32_prepare);
PREPARE(sectors_fetch64_prepare);
PREPARE(sectors_fetch128_prepare);
RELEASE(sectors_fetch_release);
LAUNCHER(sectors_vector);
LAUNCHER(sectors_staged);
C_LAUNCHER(sectors_c_scalar);
C_LAUNCHER(sectors_c_simd);

static const struct kernel_variant variants[] = {
    {
        .id = "c_scalar",
        .title = "plain C loop",
        .idea = "One read after the other on one CPU thread.",
        .where = KERNEL_CPU,
        .file = "kernels/sectors/c_scalar.c",
        .launch = sectors_c_scalar,
    },
    {
        .id = "c_simd",
        .title = "C, threads",
        .idea = "Reads with neighbouring numbers follow each other, and every "
                "core takes a share.",
        .where = KERNEL_CPU,
        .file = "kernels/sectors/c_simd.c",
        .launch = sectors_c_simd,
    },
    {
        .id = "scalar",
        .title = "a float a lane",
        .idea = "Every lane asks for one float at a time; the pattern decides "
                "how many sectors a warp touches.",
        .where = KERNEL_CUDA,
        .file = "kernels/sectors/scalar.cu",
        .launch = sectors_scalar,
    },
    {
        .id = "fetch32",
        .title = "L2 fetches 32 bytes",
        .idea = "The same kernel, after telling the driver that the L2 should "
                "fetch 32 bytes for a miss.",
        .where = KERNEL_CUDA,
        .file = "kernels/sectors/fetch.cu",
        .supports = is_sparse,
        .prepare = sectors_fetch32_prepare,
        .launch = sectors_fetch,
        .release = sectors_fetch_release,
    },
    {
        .id = "fetch64",
        .title = "L2 fetches 64 bytes",
        .idea = "The same kernel, after telling the driver that the L2 should "
                "fetch 64 bytes for a miss.",
        .where = KERNEL_CUDA,
        .file = "kernels/sectors/fetch.cu",
        .supports = is_sparse,
        .prepare = sectors_fetch64_prepare,
        .launch = sectors_fetch,
        .release = sectors_fetch_release,
    },
    {
        .id = "fetch128",
        .title = "L2 fetches 128 bytes",
        .idea = "The same kernel, after telling the driver that the L2 should "
                "fetch 128 bytes for a miss.",
        .where = KERNEL_CUDA,
        .file = "kernels/sectors/fetch.cu",
        .supports = is_sparse,
        .prepare = sectors_fetch128_prepare,
        .launch = sectors_fetch,
        .release = sectors_fetch_release,
    },
    {
        .id = "vector",
        .title = "16 bytes a lane",
        .idea = "A record is read in quarters, so that a request takes half a "
                "sector of each lane.",
        .where = KERNEL_CUDA,
        .file = "kernels/sectors/vector.cu",
        .supports = is_record,
        .launch = sectors_vector,
    },
    {
        .id = "staged",
        .title = "by way of shared memory",
        .idea = "A warp reads its records in a row, and each lane picks its "
                "own up in shared memory.",
        .where = KERNEL_CUDA,
        .file = "kernels/sectors/staged.cu",
        .supports = is_record,
        .launch = sectors_staged,
    },
};

const struct kernel_family sectors_family = {
    .id = "sectors",
    .title = "Sectors",
    .problem = "Read the same number of floats and add them up by sixteen: in "
               "a row, some way apart, off by one, in pieces at random places, "
               "or as records. Only the useful bytes count, so the bandwidth "
               "says how much of what was moved was used.",
    .metric = "bandwidth",
    .file = "kernels/sectors/family.c",
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

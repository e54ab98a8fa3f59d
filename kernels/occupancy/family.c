/*
 * kernels/occupancy/family.c - a plain read with so many warps and so many
 * bytes in flight.
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include "kernels/declare.h"
#include "kernels/input.h"
#include "kernels/occupancy/occupancy.h"

enum {
    X = 1, /* buffer number of the input */
    /* 1.03 GiB that 132 SMs of 64 warps share evenly */
    LENGTH = 132 * 64 * 8 * OCCUPANCY_PIECE,
    LENGTH_CPU = 1 << 22,
};

static size_t length(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "n");
}

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    b[0] = kernel_out("sums", KERNEL_F32, occupancy_pieces(length(c)) * WARP);
    b[X] = kernel_in("x", KERNEL_F32, length(c));
    return 2;
}

static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t n = kernel_num(c, "n");

    *m = (struct kernel_model){
        .flop = n,
        .bytes_read = 4 * n,
        .bytes_written = 4 * WARP * (int64_t)occupancy_pieces((size_t)n),
        .formula = "32 sums for each 4096 elements: 4 B read and 1 FLOP per "
                   "element, 4 B written per sum",
        .unit = "fp32",
        .level = "hbm",
    };
}

/* Multiples of 2^-23, 128 of them: exact in a double. */
static void expect_sum(size_t n, uint64_t seed, size_t index, double *value,
                       double *magnitude)
{
    const size_t piece = index / WARP;
    const size_t column = index % WARP;
    double sum = 0, size = 0;

    for (size_t row = 0; row < OCCUPANCY_ROWS; row++)
        for (size_t k = 0; k < OCCUPANCY_VECTOR; k++) {
            const size_t vector = row * WARP + column;
            const size_t i =
                piece * OCCUPANCY_PIECE + vector * OCCUPANCY_VECTOR + k;
            const double x = i < n ? (double)input_f32(seed, X, i) : 0;

            sum += x;
            size += fabs(x);
        }
    *value = sum;
    *magnitude = size;
}

static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    for (size_t i = 0; i < n; i++)
        expect_sum(length(c), seed, idx[i], &value[i], &magnitude[i]);
}

static size_t terms(const struct kernel_case *c)
{
    (void)c;
    return OCCUPANCY_ROWS * OCCUPANCY_VECTOR;
}

static double tolerance(const struct kernel_case *c, const char **why)
{
    (void)c;
    *why = "2^-24 of the sum of |x| for each of 128 additions, the bound that "
           "always holds";
    return OCCUPANCY_ROWS * OCCUPANCY_VECTOR * 0x1p-24;
}

/* --- cases --- */

/* KiB per SM: 32 lanes of 16 bytes are half a KiB. */
#define CASE(n, warps, unroll, use)                   \
    {                                                 \
        {{"n", n, NULL},                              \
         {"warps", warps, NULL},                      \
         {"unroll", unroll, NULL},                    \
         {"inflight", (warps) * (unroll) / 2, NULL}}, \
            4, KERNEL_F32, use                        \
    }
#define READ(warps, unroll) \
    CASE(LENGTH, warps, unroll, KERNEL_MEASURE_CUDA | KERNEL_COLD)

static const struct kernel_case cases[] = {
    /* around a vector, a row and a piece, and more pieces than warps */
    CASE(1, 4, 1, KERNEL_CHECK),
    CASE(127, 8, 2, KERNEL_CHECK),
    CASE(4095, 4, 4, KERNEL_CHECK),
    CASE(4096, 16, 4, KERNEL_CHECK),
    CASE(4101, 64, 4, KERNEL_CHECK),
    CASE(65537, 4, 8, KERNEL_CHECK),
    CASE(1000003, 32, 8, KERNEL_CHECK),
    CASE(4194319, 4, 16, KERNEL_CHECK),
    CASE(16777259, 4, 32, KERNEL_CHECK),
    CASE(16777216, 4, 64, KERNEL_CHECK),
    READ(4, 1),
    READ(4, 2),
    READ(4, 4),
    READ(4, 8),
    READ(4, 16),
    READ(4, 32),
    READ(4, 64),
    READ(8, 1),
    READ(8, 2),
    READ(8, 4),
    READ(8, 8),
    READ(8, 16),
    READ(8, 32),
    READ(16, 1),
    READ(16, 2),
    READ(16, 4),
    READ(16, 8),
    READ(16, 16),
    READ(32, 1),
    READ(32, 2),
    READ(32, 4),
    READ(32, 8),
    READ(64, 1),
    READ(64, 2),
    READ(64, 4),
    CASE(LENGTH_CPU, 4, 4, KERNEL_MEASURE_CPU | KERNEL_HOT | KERNEL_COLD),
};

/* The loads of a batch fit into registers: 32 of them into a thread's, and all
 * into half of an SM's. */
static bool in_registers(const struct kernel_case *c)
{
    return kernel_num(c, "unroll") <= 32 &&
           kernel_num(c, "warps") * kernel_num(c, "unroll") <= 256;
}

/* One number of warps is enough to show what a cap does. */
static bool at_eight_warps(const struct kernel_case *c)
{
    const int64_t unroll = kernel_num(c, "unroll");

    return unroll >= 4 && unroll <= 16 &&
           (kernel_num(c, "warps") == 8 || (c->use & KERNEL_CHECK));
}

/* One block of four warps, a ring of four slots each. */
static bool in_shared(const struct kernel_case *c)
{
    return kernel_num(c, "warps") == 4 && kernel_num(c, "unroll") >= 4;
}

LAUNCHER(occupancy_loads);
LAUNCHER(occupancy_capped);
LAUNCHER(occupancy_bulk);
C_LAUNCHER(occupancy_c_scalar);
C_LAUNCHER(occupancy_c_simd);

static const struct kernel_variant variants[] = {
    {
        .id = "c_scalar",
        .title = "plain C loop",
        .idea = "One element after the other on one CPU thread.",
        .where = KERNEL_CPU,
        .file = "kernels/occupancy/c_scalar.c",
        .launch = occupancy_c_scalar,
    },
    {
        .id = "c_simd",
        .title = "C, vectors and threads",
        .idea = "A row at a time in vectors, and every core takes a share.",
        .where = KERNEL_CPU,
        .file = "kernels/occupancy/c_simd.c",
        .launch = occupancy_c_simd,
    },
    {
        .id = "loads",
        .title = "loads into registers",
        .idea = "So many warps, each with so many 16-byte loads under way per "
                "thread.",
        .where = KERNEL_CUDA,
        .file = "kernels/occupancy/loads.cu",
        .supports = in_registers,
        .launch = occupancy_loads,
    },
    {
        .id = "capped",
        .title = "32 registers a thread",
        .idea = "The same source with registers for full occupancy: the "
                "compiler cannot keep the batch together.",
        .where = KERNEL_CUDA,
        .file = "kernels/occupancy/capped.cu",
        .supports = at_eight_warps,
        .launch = occupancy_capped,
    },
    {
        .id = "bulk",
        .title = "bulk copies into shared memory",
        .idea = "Four warps, and what is in flight belongs to the copy "
                "engine.",
        .where = KERNEL_CUDA,
        .file = "kernels/occupancy/bulk.cu",
        .supports = in_shared,
        .launch = occupancy_bulk,
    },
};

const struct kernel_family occupancy_family = {
    .id = "occupancy",
    .title = "Bytes in flight",
    .problem = "Read a gibibyte and add it up in columns, with so many warps "
               "on a multiprocessor and so many loads under way in each. What "
               "decides the bandwidth: how many warps there are, or how many "
               "bytes they have asked for?",
    .metric = "bandwidth",
    .file = "kernels/occupancy/family.c",
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

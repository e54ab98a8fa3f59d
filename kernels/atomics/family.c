/*
 * kernels/atomics/family.c - many threads add to few places.
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include "kernels/declare.h"
#include "kernels/atomics/atomics.h"
#include "kernels/input.h"

enum {
    X = 1,      /* buffer number of the input; 0 is the sums */
    RANGE = 64, /* integers are below it: 2^24 of them fit in 31 bits */
    BLOCK_PLACES = 1 << 12, /* eight blocks of them fit in shared memory */
};

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    const struct atomics_shape s = atomics_shape(c);
    const bool words = c->dtype == KERNEL_I32;

    b[0] = (struct kernel_buffer){.name = "sums",
                                  .access = KERNEL_OUT,
                                  .dtype = c->dtype,
                                  .count = s.places * s.gap};
    b[X] = (struct kernel_buffer){.name = "x",
                                  .access = KERNEL_IN,
                                  .dtype = words ? KERNEL_I32 : KERNEL_BF16,
                                  .count = s.elements,
                                  .draw = words ? KERNEL_KEYS : KERNEL_REAL,
                                  .range = RANGE};
    return 2;
}

static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const struct atomics_shape s = atomics_shape(c);

    m->flop = (int64_t)s.n;
    m->op = "atomic";
    m->bytes_read = (c->dtype == KERNEL_I32 ? 4 : 2) * (int64_t)s.elements;
    m->bytes_written = 4 * (int64_t)(s.places * s.gap);
    m->formula = "n atomic additions; an element read for every 64 of them, "
                 "4 B written per word of the result";
    m->level = "hbm";
}

/* Sums of multiples of 2^-7 (or 1) below 2^30: exact in a double. */
static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    const struct atomics_shape s = atomics_shape(c);

    for (size_t k = 0; k < n; k++) {
        const size_t first = idx[k] % s.gap == 0 ? idx[k] / s.gap : s.n;

        value[k] = magnitude[k] = 0;
        for (size_t j = first; j < s.n; j += s.places) {
            const size_t i = j % s.elements;
            const double x =
                c->dtype == KERNEL_I32
                    ? (double)input_key(KERNEL_KEYS, RANGE, seed, X, i)
                    : (double)input_bf16(seed, X, i);

            value[k] += x;
            magnitude[k] += fabs(x);
        }
    }
}

static size_t terms(const struct kernel_case *c)
{
    const struct atomics_shape s = atomics_shape(c);

    return atomics_pieces(s.n, s.places * s.gap);
}

/*
 * Floats are multiples of 2^-7 in [-1, 1), so a sum is rounded only if it
 * leaves 2^17. They have mean 0 and variance 1/3: the sum of all 2^18 of them,
 * 64 times each, has a standard deviation of 64 sqrt(2^18 / 3) = 0.14 * 2^17,
 * and sums on the way there are smaller.
 */
static double tolerance(const struct kernel_case *c, const char **why)
{
    if (c->dtype == KERNEL_I32)
        *why = "sums of integers below 2^31: exact";
    else
        *why = "sums of multiples of 2^-7 that stay below 2^17, seven standard "
               "deviations: exact";
    return 0;
}

static bool fits_block(const struct kernel_case *c)
{
    return kernel_num(c, "m") <= BLOCK_PLACES;
}

static bool is_words(const struct kernel_case *c)
{
    return c->dtype == KERNEL_I32;
}

#define CASE(dtype, n, m, gap, use)                                         \
    {                                                                       \
        {{"n", n, NULL}, {"m", m, NULL}, {"gap", gap, NULL}}, 3, dtype, use \
    }
#define WORDS(m, gap) \
    CASE(KERNEL_I32, 1 << 24, m, gap, KERNEL_MEASURE_CUDA | KERNEL_HOT)
#define FLOATS(m, gap) \
    CASE(KERNEL_F32, 1 << 24, m, gap, KERNEL_MEASURE_CUDA | KERNEL_HOT)
#define ON_CPU KERNEL_MEASURE_CPU | KERNEL_HOT

static const struct kernel_case cases[] = {
    CASE(KERNEL_I32, 1, 1, 1, KERNEL_CHECK),
    CASE(KERNEL_F32, 1, 7, 3, KERNEL_CHECK),
    CASE(KERNEL_I32, 4099, 1, 1, KERNEL_CHECK),
    CASE(KERNEL_F32, 4099, 1, 1, KERNEL_CHECK),
    CASE(KERNEL_I32, 65537, 5, 1, KERNEL_CHECK),
    CASE(KERNEL_F32, 65537, 33, 1, KERNEL_CHECK),
    CASE(KERNEL_I32, 1000003, 257, 8, KERNEL_CHECK),
    CASE(KERNEL_F32, 1000003, 4096, 1, KERNEL_CHECK),
    CASE(KERNEL_I32, 1000003, 65537, 1, KERNEL_CHECK),
    CASE(KERNEL_F32, 4194319, 16411, 8, KERNEL_CHECK),
    WORDS(1, 1),
    WORDS(32, 1),
    WORDS(1 << 10, 1),
    WORDS(1 << 15, 1),
    WORDS(1 << 20, 1),
    WORDS(1 << 17, 8), /* a sector for each place */
    FLOATS(1, 1),
    FLOATS(1 << 10, 1),
    FLOATS(1 << 20, 1),
    CASE(KERNEL_I32, 1 << 18, 1, 1, ON_CPU),
    CASE(KERNEL_I32, 1 << 18, 1 << 10, 1, ON_CPU),
};

LAUNCHER(atomics_lane);
LAUNCHER(atomics_returned);
LAUNCHER(atomics_system);
LAUNCHER(atomics_warp);
LAUNCHER(atomics_block);
C_LAUNCHER(atomics_c_scalar);
C_LAUNCHER(atomics_c_simd);

static const struct kernel_variant variants[] = {
    {
        .id = "c_scalar",
        .title = "plain C loop",
        .idea = "One CPU thread, which has nobody to share with.",
        .where = KERNEL_CPU,
        .file = "kernels/atomics/c_scalar.c",
        .launch = atomics_c_scalar,
    },
    {
        .id = "c_simd",
        .title = "C, threads and atomics",
        .idea = "Every core adds to the same places, one locked instruction "
                "for each addition.",
        .where = KERNEL_CPU,
        .file = "kernels/atomics/c_simd.c",
        .launch = atomics_c_simd,
    },
    {
        .id = "lane",
        .title = "each lane for itself",
        .idea = "One atomic in global memory for each addition, without an "
                "answer.",
        .where = KERNEL_CUDA,
        .file = "kernels/atomics/lane.cu",
        .launch = atomics_lane,
    },
    {
        .id = "returned",
        .title = "the old value is wanted",
        .idea = "The same atomics, and each returns what was there before.",
        .where = KERNEL_CUDA,
        .file = "kernels/atomics/returned.cu",
        .launch = atomics_returned,
    },
    {
        .id = "system",
        .title = "for the system to see",
        .idea = "The scope is the system instead of the GPU.",
        .where = KERNEL_CUDA,
        .file = "kernels/atomics/system.cu",
        .supports = is_words,
        .launch = atomics_system,
    },
    {
        .id = "warp",
        .title = "a warp adds up first",
        .idea = "Lanes that go to the same place add up in registers, and one "
                "of them sends the sum.",
        .where = KERNEL_CUDA,
        .file = "kernels/atomics/warp.cu",
        .launch = atomics_warp,
    },
    {
        .id = "block",
        .title = "a block adds up first",
        .idea = "Additions go to the block's shared memory, and each sum to "
                "the L2 once.",
        .where = KERNEL_CUDA,
        .file = "kernels/atomics/block.cu",
        .supports = fits_block,
        .launch = atomics_block,
    },
};

const struct kernel_family atomics_family = {
    .id = "atomics",
    .title = "Atomic additions",
    .problem = "Many threads add numbers to m places that they share: from "
               "one place that all want to a million that hardly two want at "
               "once. What is measured is how many additions a second the "
               "memory system does, and who should do the adding.",
    .metric = "rate",
    .file = "kernels/atomics/family.c",
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

/*
 * kernels/softmax/family.c - y[r][i] = exp(s x[r][i]) / Σ_k exp(s x[r][k]).
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include "kernels/declare.h"
#include "kernels/input.h"
#include "kernels/knob.h"
#include "kernels/softmax/softmax.h"
#include "kernels/torch.h"
#include "kernels/triton.h"

#include <math.h>

enum {
    HELD = 1 << 15,      /* longest row that one block holds */
    PACKED = 1 << 16,    /* the same, if it stays packed, as bf16 */
    CLUSTERED = 1 << 18, /* longest row that a cluster holds, as bf16 */
    SHORT = 1 << 14,     /* longest row that is not worth a cluster */
};

static size_t elements(const struct kernel_case *c)
{
    return (size_t)softmax_rows(c) * (size_t)softmax_cols(c);
}

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    b[SOFTMAX_X] = kernel_in("x", c->dtype, elements(c));
    b[SOFTMAX_Y] = kernel_out("y", c->dtype, elements(c));
    return 2;
}

/* Maximum, difference, exponential, sum, quotient: five operations an
 * element, which is read once and written once. */
static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t n = (int64_t)elements(c);
    const int64_t bytes = n * (int64_t)kernel_dtype_bytes(c->dtype);

    m->flop = 5 * n;
    m->bytes_read = bytes;
    m->bytes_written = bytes;
    m->formula = c->dtype == KERNEL_BF16
                     ? "2 B read and 2 B written per element, 5 FLOP: maximum, "
                       "difference, exponential, sum, quotient"
                     : "4 B read and 4 B written per element, 5 FLOP: maximum, "
                       "difference, exponential, sum, quotient";
    m->unit = "fp32";
    m->level = "hbm";
}

/* The numbers that all elements of a row share; NaN follows from the rules of
 * IEEE as softmax.h says. */
struct row {
    double top, sum;
};

static double input(const struct kernel_case *c, uint64_t seed, size_t i)
{
    return (double)input_value(c->dtype, seed, SOFTMAX_X, i);
}

static struct row row_of(const struct kernel_case *c, uint64_t seed, size_t r)
{
    const size_t cols = (size_t)softmax_cols(c), begin = r * cols;
    const double scale = softmax_scale(c);
    struct row row = {-INFINITY, 0};

    for (size_t i = begin; i < begin + cols; i++)
        row.top = fmax(row.top, input(c, seed, i));
    for (size_t i = begin; i < begin + cols; i++)
        row.sum += exp(scale * (input(c, seed, i) - row.top));
    return row;
}

/* Outputs of one row come together, so its sum is computed once. tolerance()
 * says what the 2^-100 allows for. */
static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    const size_t cols = (size_t)softmax_cols(c);
    const double scale = softmax_scale(c);
    size_t known = SIZE_MAX;
    struct row row = {0};

    for (size_t k = 0; k < n; k++) {
        if (idx[k] / cols != known) {
            known = idx[k] / cols;
            row = row_of(c, seed, known);
        }
        value[k] = exp(scale * (input(c, seed, idx[k]) - row.top)) / row.sum;
        magnitude[k] = value[k] + 0x1p-100;
    }
}

static size_t terms(const struct kernel_case *c)
{
    return (size_t)softmax_cols(c);
}

/*
 * Errors are relative to the quotient, with u = 2^-24:
 *
 *   The exponent t = s log2(e) (x - top) lies between -2.9 s and 0. A product,
 *   a difference and a rounded constant make it, each good to u. So t is off by
 *   at most 3 u 2.9 s, and 2^t by ln 2 times that: 6 s u. A variant may
 *   multiply two powers, where it first takes the maximum of a part of the
 *   row: 12 s u.
 *
 *   Each of two powers is good to 2 units in the last place, 4u. The factors,
 *   the quotient and the bit of the sum that softmax/split uses as a mark take
 *   8u more.
 *
 *   The sum of n powers is made of at least 16 chains of n/16. All terms have
 *   one sign, so a running sum grows in proportion to its terms. With random
 *   roundings the error of a chain is u/3 sqrt(n/16) of its sum. For 16
 *   independent chains it is a fourth of that. Ten standard deviations are
 *   u sqrt(n) 10/48, less than u sqrt(n) / 4.
 *
 * An output in bf16 is rounded once more, to 8 bits: 2^-8. Powers below 2^-126
 * may become 0. The magnitude has 2^-100 more than the quotient for them: even
 * 16 u of that is 2^-120.
 */
static double tolerance(const struct kernel_case *c, const char **why)
{
    const double u = 0x1p-24;
    const double f32 =
        (16 + 12 * softmax_scale(c) + sqrt((double)softmax_cols(c)) / 4) * u;

    if (c->dtype == KERNEL_BF16) {
        *why = "2^-8 of y for the rounding to bf16, and "
               "(16 + 12 s + sqrt(cols)/4) 2^-24 for powers and sums in f32";
        return 0x1p-8 + f32;
    }
    *why = "(16 + 12 s + sqrt(cols)/4) 2^-24 of y: exponents, powers and the "
           "quotient, and ten standard deviations of a sum in 16 chains";
    return f32;
}

#define CASE(r, n, type, use)                                         \
    {                                                                 \
        {{"rows", r, NULL}, {"cols", n, NULL}}, 2, KERNEL_##type, use \
    }
#define STEEP(r, n, type)                                                \
    {                                                                    \
        {{"rows", r, NULL}, {"cols", n, NULL}, {"scale", 256, NULL}}, 3, \
            KERNEL_##type, KERNEL_CHECK                                  \
    }
#define BOTH(r, n) CASE(r, n, BF16, KERNEL_CHECK), CASE(r, n, F32, KERNEL_CHECK)
/* 2^27 elements in all. */
#define COLD(n, type) \
    CASE((1 << 27) / (n), n, type, KERNEL_MEASURE_CUDA | KERNEL_COLD)
#define ON_CPU KERNEL_CHECK | KERNEL_MEASURE_CPU | KERNEL_COLD

static const struct kernel_case cases[] = {
    /* one element, less than a vector, rows at odd addresses, around the
       elements of a thread, a warp, a block and a cluster */
    BOTH(1, 1),
    BOTH(5, 3),
    BOTH(7, 31),
    BOTH(1, 1000),
    BOTH(3, 1023),
    BOTH(9, 1024),
    BOTH(2, 1025),
    BOTH(131, 1032),
    BOTH(300, 2048),
    BOTH(3, 8191),
    BOTH(2, 8200),
    BOTH(3, 16385),
    BOTH(5, 32768),
    BOTH(2, 32776),
    BOTH(1, 100003),
    BOTH(1, 100008),
    BOTH(2, 131072),
    BOTH(3, 200000),
    BOTH(1, 262144),
    BOTH(2, 262143),
    STEEP(7, 777, BF16),
    STEEP(1, 4096, F32),
    STEEP(3, 32768, F32),
    STEEP(2, 131072, BF16),
    CASE(64, 2048, BF16, ON_CPU),
    CASE(64, 2048, F32, ON_CPU),
    COLD(1 << 10, BF16),
    COLD(1 << 12, BF16),
    COLD(1 << 13, BF16),
    COLD(1 << 14, BF16),
    COLD(1 << 15, BF16),
    COLD(1 << 16, BF16),
    COLD(1 << 17, BF16),
    COLD(1 << 18, BF16),
    COLD(1 << 13, F32),
    COLD(1 << 15, F32),
    COLD(1 << 17, F32),
    /* the logits of one token */
    CASE(1, 1 << 17, BF16, KERNEL_MEASURE_CUDA | KERNEL_COLD),
};

static bool fits_block(const struct kernel_case *c)
{
    return softmax_cols(c) <= HELD;
}

/* The TMA needs rows that start at multiples of 16 bytes. */
static bool fits_engine(const struct kernel_case *c)
{
    return fits_block(c) && softmax_whole(c);
}

/* Threads with half as many elements hold a row half as long. */
static bool fits_wide(const struct kernel_case *c)
{
    return fits_engine(c) && softmax_cols(c) <= HELD / 2;
}

/* For rows that one warp holds, a ring would be mostly bookkeeping. */
static bool fits_ring(const struct kernel_case *c)
{
    return fits_engine(c) && softmax_cols(c) > 1 << 10;
}

/* A row of bf16 may be twice as long as one of f32. */
static int half_if_f32(const struct kernel_case *c, int cols)
{
    return c->dtype == KERNEL_BF16 ? cols : cols / 2;
}

static bool fits_packed(const struct kernel_case *c)
{
    return softmax_cols(c) <= half_if_f32(c, PACKED) && softmax_whole(c);
}

static bool fits_cluster(const struct kernel_case *c)
{
    return softmax_cols(c) > SHORT &&
           softmax_cols(c) <= half_if_f32(c, CLUSTERED);
}

/* The TMA needs chunks that start at multiples of 16 bytes, too. */
static bool fits_rings(const struct kernel_case *c)
{
    return fits_cluster(c) && softmax_whole(c);
}

static bool one_row(const struct kernel_case *c)
{
    return softmax_rows(c) == 1 && softmax_cols(c) <= CLUSTERED;
}

/* Every other width of the long sweep, since torch.compile takes seconds. */
static bool is_for_peer(const struct kernel_case *c)
{
    const int cols = softmax_cols(c);

    return c->dtype == KERNEL_BF16 && (c->use & KERNEL_MEASURE_CUDA) &&
           (cols == 1 << 10 || cols == 1 << 13 || cols == 1 << 15 ||
            cols == 1 << 17);
}

/* A Triton program holds its row, as our block does. */
static bool is_for_triton(const struct kernel_case *c)
{
    return is_for_peer(c) && fits_block(c);
}

TORCH_PEERS(softmax)
TRITON_PEER(softmax)

LAUNCHER(softmax_three);
LAUNCHER(softmax_block);
LAUNCHER(softmax_online);
LAUNCHER(softmax_registers);
LAUNCHER(softmax_ahead);
LAUNCHER(softmax_wide);
LAUNCHER(softmax_packed);
LAUNCHER(softmax_persistent);
SCRATCH(softmax_persistent_scratch);
LAUNCHER(softmax_cluster);
PREPARE(softmax_cluster_prepare);
LAUNCHER(softmax_ring);
SCRATCH(softmax_ring_scratch);
LAUNCHER(softmax_split);
SCRATCH(softmax_split_scratch);
C_LAUNCHER(softmax_c_scalar);
C_LAUNCHER(softmax_c_simd);

static const struct kernel_variant variants[] = {
    {
        .id = "c_scalar",
        .title = "plain C loops",
        .idea = "The definition in three loops on one CPU thread.",
        .where = KERNEL_CPU,
        .file = "kernels/softmax/c_scalar.c",
        .launch = softmax_c_scalar,
    },
    {
        .id = "c_simd",
        .title = "C, vectors and threads",
        .idea = "Powers of two by a shift and a short series, four lanes "
                "wide, and every core takes a share of the rows.",
        .where = KERNEL_CPU,
        .file = "kernels/softmax/c_simd.c",
        .launch = softmax_c_simd,
    },
    {
        .id = "three",
        .title = "a warp a row, three passes",
        .idea = "Maximum, sum, quotients: the row is read three times.",
        .where = KERNEL_CUDA,
        .file = "kernels/softmax/three.cu",
        .launch = softmax_three,
    },
    {
        .id = "block",
        .title = "a block a row, three passes",
        .idea = "Fewer rows are at work at a time, so that the second and "
                "the third pass find theirs in a cache.",
        .where = KERNEL_CUDA,
        .file = "kernels/softmax/block.cu",
        .launch = softmax_block,
    },
    {
        .id = "online",
        .title = "maximum and sum in one pass",
        .idea = "The sum is corrected whenever a greater element comes, so "
                "that two passes are enough.",
        .where = KERNEL_CUDA,
        .file = "kernels/softmax/online.cu",
        .launch = softmax_online,
    },
    {
        .id = "registers",
        .title = "the row in registers",
        .idea = "One read in 16-byte vectors, all of the row in flight; powers "
                "stay where the elements were.",
        .where = KERNEL_CUDA,
        .file = "kernels/softmax/registers.cu",
        .supports = fits_block,
        .launch = softmax_registers,
    },
    {
        .id = "ahead",
        .title = "a row further on asked for",
        .idea = "The row that lies 1.5 MiB further on is fetched into L2, and "
                "nobody waits for it.",
        .where = KERNEL_CUDA,
        .file = "kernels/softmax/ahead.cu",
        .supports = fits_engine,
        .launch = softmax_ahead,
    },
    {
        .id = "wide",
        .title = "half as much a thread",
        .idea = "16 elements a thread, so that all warps find room, and the "
                "row further on is asked for.",
        .where = KERNEL_CUDA,
        .file = "kernels/softmax/wide.cu",
        .supports = fits_wide,
        .launch = softmax_wide,
    },
    {
        .id = "persistent",
        .title = "resident blocks, rows by ticket",
        .idea = "The bulk copy engine fetches the next rows into shared memory "
                "while a block works on its own.",
        .where = KERNEL_CUDA,
        .file = "kernels/softmax/persistent.cu",
        .supports = fits_ring,
        .scratch_bytes = softmax_persistent_scratch,
        .launch = softmax_persistent,
    },
    {
        .id = "packed",
        .title = "the row in registers, packed",
        .idea = "The elements stay as bf16, twice as many in as many "
                "registers, and exponentials are taken twice.",
        .where = KERNEL_CUDA,
        .file = "kernels/softmax/packed.cu",
        .supports = fits_packed,
        .launch = softmax_packed,
    },
    {
        .id = "cluster",
        .title = "a cluster a row",
        .idea = "Up to sixteen blocks hold a row together and meet in each "
                "other's shared memory.",
        .where = KERNEL_CUDA,
        .file = "kernels/softmax/cluster.cu",
        .supports = fits_cluster,
        .prepare = softmax_cluster_prepare,
        .launch = softmax_cluster,
    },
    {
        .id = "ring",
        .title = "a cluster a row, chunks in rings",
        .idea = "Blocks stay; some warps sum the next row while others write "
                "this one and the copy engine fetches those to come.",
        .where = KERNEL_CUDA,
        .file = "kernels/softmax/ring.cu",
        .supports = fits_rings,
        .scratch_bytes = softmax_ring_scratch,
        .launch = softmax_ring,
    },
    {
        .id = "split",
        .title = "the whole grid on one row",
        .idea = "All blocks share a row and agree by one word each in global "
                "memory, in one launch.",
        .where = KERNEL_CUDA,
        .file = "kernels/softmax/split.cu",
        .supports = one_row,
        .scratch_bytes = softmax_split_scratch,
        .launch = softmax_split,
    },
    TORCH_EAGER(softmax, is_for_peer, "torch.softmax into the output."),
    TORCH_COMPILED(softmax, is_for_peer,
                   "torch.softmax and the copy into the output, compiled "
                   "into one kernel where the compiler can."),
    TRITON_ROW(softmax, is_for_triton,
               "A program holds a row, a power of two wide; a program for "
               "each row or resident ones, whichever was faster when tried."),
};

LAUNCHER(softmax_ahead_swept);
LAUNCHER(softmax_ring_swept);
SCRATCH(softmax_ring_scratch_swept);

/* Rows may come in any order; kernels/knob.h says how to add one. */
const struct kernel_knob softmax_knobs[] = {
    {
        .variant = "ahead",
        .name = "distance",
        .unit = "bytes",
        .chosen = 3 << 19,
        .value = {1 << 16, 1 << 18, 1 << 20, 3 << 19, 1 << 22, 1 << 23, 1 << 24,
                  1 << 25},
        .file = "kernels/softmax/ahead_distance.cu",
        .launch = softmax_ahead_swept,
    },
    {
        .variant = "ring",
        .name = "slots",
        .unit = "slots",
        .chosen = 12,
        .value = {5, 6, 8, 10, 12, 13},
        .file = "kernels/softmax/ring_slots.cu",
        .scratch_bytes = softmax_ring_scratch_swept,
        .launch = softmax_ring_swept,
    },
    {0},
};

const struct kernel_family softmax_family = {
    .id = "softmax",
    .title = "Softmax over rows",
    .problem = "Turn each row of a matrix into weights that are positive and "
               "add up to one: y = exp(x) / sum of exp(x). Every element of "
               "a row depends on all the others, so a kernel that does not "
               "keep the row reads it again. One read and one write are what "
               "the problem needs.",
    .metric = "bandwidth",
    .file = "kernels/softmax/family.c",
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

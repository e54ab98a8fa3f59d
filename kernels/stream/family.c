/*
 * kernels/stream/family.c - copy, triad and read: how fast memory moves.
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include "kernels/declare.h"
#include "kernels/input.h"
#include "kernels/knob.h"
#include "kernels/stream/stream.h"

#include <math.h>
#include <string.h>

enum { B = 1, C = 2 }; /* buffer numbers of the inputs */

static const char *const op_names[] = {
    [STREAM_COPY] = "copy",
    [STREAM_TRIAD] = "triad",
    [STREAM_READ] = "read",
};

enum stream_op stream_op_of(const struct kernel_case *c)
{
    const char *word = kernel_word(c, "op");

    if (strcmp(word, op_names[STREAM_TRIAD]) == 0)
        return STREAM_TRIAD;
    if (strcmp(word, op_names[STREAM_READ]) == 0)
        return STREAM_READ;
    return STREAM_COPY;
}

static size_t length(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "n");
}

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    const enum stream_op op = stream_op_of(c);
    const size_t n = length(c);

    if (op == STREAM_READ)
        b[0] = kernel_out("sums", KERNEL_F32, stream_pieces(n, STREAM_PAGE));
    else
        b[0] = kernel_out("a", KERNEL_F32, n);
    b[B] = kernel_in("b", KERNEL_F32, n);
    b[C] = kernel_in("c", KERNEL_F32, n);
    return op == STREAM_TRIAD ? 3 : 2;
}

/* Every element of every operand crosses the memory bus once. */
static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t n = kernel_num(c, "n");

    m->level = "hbm";
    switch (stream_op_of(c)) {
    case STREAM_COPY:
        m->flop = 0;
        m->bytes_read = 4 * n;
        m->bytes_written = 4 * n;
        m->formula = "a[i] = b[i]: 4 B read and 4 B written per element";
        m->unit = NULL;
        break;
    case STREAM_TRIAD:
        m->flop = 2 * n;
        m->bytes_read = 8 * n;
        m->bytes_written = 4 * n;
        m->formula = "a[i] = b[i] + s c[i]: 8 B read, 4 B written and 2 FLOP "
                     "per element";
        m->unit = "fp32";
        break;
    case STREAM_READ:
        m->flop = n;
        m->bytes_read = 4 * n;
        m->bytes_written = 4 * (int64_t)stream_pieces((size_t)n, STREAM_PAGE);
        m->formula = "one sum per 4096 elements: 4 B read and 1 FLOP per "
                     "element, 4 B written per sum";
        m->unit = "fp32";
        break;
    }
}

/* Multiples of 2^-23, at most 4096 of them: exact in a double. */
static void expect_page(size_t n, uint64_t seed, size_t page, double *value,
                        double *magnitude)
{
    const size_t begin = page * STREAM_PAGE;
    const size_t end = n - begin < STREAM_PAGE ? n : begin + STREAM_PAGE;
    double sum = 0, size = 0;

    for (size_t i = begin; i < end; i++) {
        const double x = (double)input_f32(seed, B, i);

        sum += x;
        size += fabs(x);
    }
    *value = sum;
    *magnitude = size;
}

static void expect_element(const struct kernel_case *c, uint64_t seed, size_t i,
                           double *value, double *magnitude)
{
    const double b = (double)input_f32(seed, B, i);
    double sc = 0;

    if (stream_op_of(c) == STREAM_TRIAD)
        sc = (double)STREAM_SCALE * (double)input_f32(seed, C, i);
    *value = b + sc;
    *magnitude = fabs(b) + fabs(sc);
}

static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    const bool pages = stream_op_of(c) == STREAM_READ;

    for (size_t k = 0; k < n; k++)
        if (pages)
            expect_page(length(c), seed, idx[k], &value[k], &magnitude[k]);
        else
            expect_element(c, seed, idx[k], &value[k], &magnitude[k]);
}

static size_t terms(const struct kernel_case *c)
{
    const size_t n = length(c);

    switch (stream_op_of(c)) {
    case STREAM_TRIAD:
        return 2;
    case STREAM_READ:
        return n < STREAM_PAGE ? n : STREAM_PAGE;
    default:
        return 1;
    }
}

/*
 * u = 2^-24. Triad rounds the product and the sum, or both at once.
 * Read: kernels/reduce/family.c derives 8u for one chain of additions over
 * such inputs, in any order.
 */
static double tolerance(const struct kernel_case *c, const char **why)
{
    const double u = 0x1p-24;

    switch (stream_op_of(c)) {
    case STREAM_TRIAD:
        *why = "2u of |b| + |s c|: one rounding each for product and sum";
        return 2 * u;
    case STREAM_READ:
        *why = "8u of the sum of |b| over the page: additions of values with "
               "mean 0, in any order (derived for reduce)";
        return 8 * u;
    default:
        *why = "a copy is exact";
        return 0;
    }
}

static bool copies(const struct kernel_case *c)
{
    return stream_op_of(c) == STREAM_COPY;
}

#define ONE(op, n, use)                                     \
    {                                                       \
        {{"op", 0, op}, {"n", n, NULL}}, 2, KERNEL_F32, use \
    }
#define ALL(n, use) \
    ONE("copy", n, use), ONE("triad", n, use), ONE("read", n, use)
#define COLD KERNEL_MEASURE_CUDA | KERNEL_COLD
#define ON_CPU KERNEL_CHECK | KERNEL_MEASURE_CPU | KERNEL_COLD

static const struct kernel_case cases[] = {
    /* around one vector, one tile, one page, and primes */
    ALL(1, KERNEL_CHECK),       ALL(5, KERNEL_CHECK),
    ALL(127, KERNEL_CHECK),     ALL(1023, KERNEL_CHECK),
    ALL(1025, KERNEL_CHECK),    ALL(4095, KERNEL_CHECK),
    ALL(4096, KERNEL_CHECK),    ALL(4097, KERNEL_CHECK),
    ALL(65537, KERNEL_CHECK),   ALL(1000003, KERNEL_CHECK),
    ALL(4194301, KERNEL_CHECK), ALL(1 << 23, ON_CPU),
    ONE("copy", 1 << 24, COLD), ONE("read", 1 << 24, COLD),
    ALL(1 << 28, COLD),         ALL(1 << 30, COLD),
};

LAUNCHER(stream_scalar);
LAUNCHER(stream_vector);
LAUNCHER(stream_unroll);
LAUNCHER(stream_ring);
PREPARE(stream_ring_prepare);
LAUNCHER(stream_tile);
LAUNCHER(stream_ahead);
LAUNCHER(stream_memcpy);
LAUNCHER(stream_cub);
SCRATCH(stream_cub_scratch);
PREPARE(stream_cub_prepare);
C_LAUNCHER(stream_c_scalar);
C_LAUNCHER(stream_c_simd);

static const struct kernel_variant variants[] = {
    {
        .id = "c_scalar",
        .title = "plain C loop",
        .idea = "The loop as the textbook has it, on one CPU thread.",
        .where = KERNEL_CPU,
        .file = "kernels/stream/c_scalar.c",
        .launch = stream_c_scalar,
    },
    {
        .id = "c_simd",
        .title = "C, vectors and threads",
        .idea = "Sixteen bytes per access, and every core takes a share.",
        .where = KERNEL_CPU,
        .file = "kernels/stream/c_simd.c",
        .launch = stream_c_simd,
    },
    {
        .id = "scalar",
        .title = "one element per thread",
        .idea = "A thread for every element, 4 bytes per access.",
        .where = KERNEL_CUDA,
        .file = "kernels/stream/scalar.cu",
        .launch = stream_scalar,
    },
    {
        .id = "vector",
        .title = "16 bytes per access",
        .idea = "Each thread moves four neighbouring elements at once.",
        .where = KERNEL_CUDA,
        .file = "kernels/stream/vector.cu",
        .launch = stream_vector,
    },
    {
        .id = "unroll",
        .title = "four vectors in flight",
        .idea = "Each thread asks for four vectors before it uses the first.",
        .where = KERNEL_CUDA,
        .file = "kernels/stream/unroll.cu",
        .launch = stream_unroll,
    },
    {
        .id = "ring",
        .title = "bulk copy ring",
        .idea = "One resident block per multiprocessor keeps a ring of bulk "
                "copies going, with no register in between.",
        .where = KERNEL_CUDA,
        .file = "kernels/stream/ring.cu",
        .prepare = stream_ring_prepare,
        .launch = stream_ring,
    },
    {
        .id = "tile",
        .title = "one bulk tile per block",
        .idea = "Still bulk copies, but many short blocks that start in "
                "address order instead of a few that drift apart.",
        .where = KERNEL_CUDA,
        .file = "kernels/stream/tile.cu",
        .launch = stream_tile,
    },
    {
        .id = "ahead",
        .title = "prefetch into L2",
        .idea = "Each block first asks L2 for the tile that a block 1.5 MiB "
                "further on will read.",
        .where = KERNEL_CUDA,
        .file = "kernels/stream/ahead.cu",
        .launch = stream_ahead,
    },
    {
        .id = "memcpy",
        .title = "cudaMemcpyAsync",
        .idea = "What the driver does for a copy on the device.",
        .where = KERNEL_CUDA,
        .role = KERNEL_CEILING,
        .file = "kernels/stream/memcpy.cu",
        .supports = copies,
        .launch = stream_memcpy,
    },
    {
        .id = "cub",
        .title = "CUB",
        .idea = "DeviceTransform for copy and triad, DeviceSegmentedReduce "
                "for read.",
        .where = KERNEL_CUDA,
        .role = KERNEL_PEER,
        .file = "kernels/stream/cub.cu",
        .scratch_bytes = stream_cub_scratch,
        .prepare = stream_cub_prepare,
        .launch = stream_cub,
    },
};

LAUNCHER(stream_ahead_swept);
LAUNCHER(stream_ring_swept);
PREPARE(stream_ring_prepare_swept);

/* Rows may come in any order; kernels/knob.h says how to add one. */
const struct kernel_knob stream_knobs[] = {
    {
        .variant = "ahead",
        .name = "distance",
        .unit = "bytes",
        .chosen = 3 << 19,
        .value = {1 << 16, 1 << 18, 1 << 19, 1 << 20, 3 << 19, 1 << 22, 1 << 24,
                  1 << 26},
        .file = "kernels/stream/ahead_distance.cu",
        .launch = stream_ahead_swept,
    },
    {
        .variant = "ring",
        .name = "slots",
        .unit = "slots",
        .chosen = 6,
        .value = {2, 3, 4, 5, 6, 7},
        .file = "kernels/stream/ring_slots.cu",
        .prepare = stream_ring_prepare_swept,
        .launch = stream_ring_swept,
    },
    {0},
};

const struct kernel_family stream_family = {
    .id = "stream",
    .title = "Copy, triad, read",
    .problem = "Move arrays through memory and do next to nothing with them: "
               "copy (a = b), triad (a = b + s c) and read (one sum per 4096 "
               "elements). The share of the datasheet bandwidth that is left "
               "is what any memory-bound kernel can hope for, and it depends "
               "on the mix of reads and writes.",
    .metric = "bandwidth",
    .file = "kernels/stream/family.c",
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

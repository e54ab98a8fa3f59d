/*
 * kernels/transpose/family.c - out[c][r] = in[r][c].
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include "kernels/declare.h"
#include "kernels/input.h"
#include "kernels/kernel.h"

#include <math.h>

enum { IN, OUT }; /* buffer numbers */

static size_t count(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "rows") * (size_t)kernel_num(c, "cols");
}

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    b[IN] = kernel_in("in", c->dtype, count(c));
    b[OUT] = kernel_out("out", c->dtype, count(c));
    return 2;
}

/* Every element is read once and written once. */
static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t bytes = (int64_t)(count(c) * kernel_dtype_bytes(c->dtype));

    m->flop = 0;
    m->bytes_read = bytes;
    m->bytes_written = bytes;
    m->formula = c->dtype == KERNEL_F32
                     ? "rows x cols elements, 4 B read and 4 B written each"
                     : "rows x cols elements, 2 B read and 2 B written each";
    m->unit = NULL;
    m->level = "hbm";
}

static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    const size_t rows = (size_t)kernel_num(c, "rows");
    const size_t cols = (size_t)kernel_num(c, "cols");

    for (size_t i = 0; i < n; i++) {
        const size_t row = idx[i] % rows, col = idx[i] / rows;

        value[i] = (double)input_value(c->dtype, seed, IN, row * cols + col);
        magnitude[i] = fabs(value[i]);
    }
}

static size_t terms(const struct kernel_case *c)
{
    (void)c;
    return 1;
}

static double tolerance(const struct kernel_case *c, const char **why)
{
    (void)c;
    *why = "elements are moved, not computed: exact";
    return 0;
}

#define ONE(r, k, dtype, use)                                 \
    {                                                         \
        {{"rows", r, NULL}, {"cols", k, NULL}}, 2, dtype, use \
    }
#define BOTH(r, k, use) ONE(r, k, KERNEL_F32, use), ONE(r, k, KERNEL_BF16, use)
#define COLD KERNEL_MEASURE_CUDA | KERNEL_COLD
#define ON_CPU KERNEL_CHECK | KERNEL_MEASURE_CPU | KERNEL_COLD

static const struct kernel_case cases[] = {
    /* lines, primes, and one more or less than a vector and a tile */
    BOTH(1, 1, KERNEL_CHECK),
    BOTH(1, 1000, KERNEL_CHECK),
    BOTH(1000, 1, KERNEL_CHECK),
    BOTH(3, 5, KERNEL_CHECK),
    BOTH(31, 33, KERNEL_CHECK),
    BOTH(64, 64, KERNEL_CHECK),
    BOTH(65, 63, KERNEL_CHECK),
    BOTH(127, 129, KERNEL_CHECK),
    BOTH(128, 128, KERNEL_CHECK),
    BOTH(257, 509, KERNEL_CHECK),
    /* whole vectors, ragged tiles */
    BOTH(8, 24, KERNEL_CHECK),
    BOTH(200, 136, KERNEL_CHECK),
    BOTH(1016, 2056, KERNEL_CHECK),
    /* whole vectors on one side only */
    BOTH(1024, 1021, KERNEL_CHECK),
    BOTH(1021, 1024, KERNEL_CHECK),
    BOTH(2048, 2048, ON_CPU),
    BOTH(8192, 8192, COLD),
    BOTH(8192, 16384, COLD),
    BOTH(16384, 16384, COLD),
};

static bool is_f32(const struct kernel_case *c)
{
    return c->dtype == KERNEL_F32;
}

LAUNCHER(transpose_naive);
LAUNCHER(transpose_gather);
LAUNCHER(transpose_tile);
LAUNCHER(transpose_padded);
LAUNCHER(transpose_swizzled);
LAUNCHER(transpose_vector);
LAUNCHER(transpose_wide);
LAUNCHER(transpose_down);
LAUNCHER(transpose_engine);
PREPARE(transpose_engine_prepare);
RELEASE(transpose_engine_release);
LAUNCHER(transpose_geam);
PREPARE(transpose_geam_prepare);
RELEASE(transpose_geam_release);
const char *cublas_library(void) __attribute__((weak));
C_LAUNCHER(transpose_c_scalar);
C_LAUNCHER(transpose_c_simd);

static const struct kernel_variant variants[] = {
    {
        .id = "c_scalar",
        .title = "plain C loop",
        .idea = "Two nested loops, on one CPU thread.",
        .where = KERNEL_CPU,
        .file = "kernels/transpose/c_scalar.c",
        .launch = transpose_c_scalar,
    },
    {
        .id = "c_simd",
        .title = "C, vectors and threads",
        .idea = "Blocks turned in registers, squares that fit the cache, and "
                "every core takes a share.",
        .where = KERNEL_CPU,
        .file = "kernels/transpose/c_simd.c",
        .launch = transpose_c_simd,
    },
    {
        .id = "naive",
        .title = "straight across",
        .idea = "A thread for every element: reads are coalesced, writes are "
                "scattered.",
        .where = KERNEL_CUDA,
        .file = "kernels/transpose/naive.cu",
        .launch = transpose_naive,
    },
    {
        .id = "gather",
        .title = "scattered reads instead",
        .idea = "The same the other way round: L1 collects scattered reads, "
                "nothing in the multiprocessor collects writes.",
        .where = KERNEL_CUDA,
        .file = "kernels/transpose/gather.cu",
        .launch = transpose_gather,
    },
    {
        .id = "tile",
        .title = "tile in shared memory",
        .idea = "Both sides are coalesced; the turn happens in shared memory, "
                "with every column in one bank.",
        .where = KERNEL_CUDA,
        .file = "kernels/transpose/tile.cu",
        .launch = transpose_tile,
    },
    {
        .id = "padded",
        .title = "one word of padding",
        .idea = "Rows of the tile are one bank longer, so a column touches "
                "every bank once.",
        .where = KERNEL_CUDA,
        .file = "kernels/transpose/padded.cu",
        .launch = transpose_padded,
    },
    {
        .id = "swizzled",
        .title = "a swizzle for the padding",
        .idea = "The elements of a row are permuted by XOR, so that a column "
                "touches every bank once and the tile has no gaps.",
        .where = KERNEL_CUDA,
        .file = "kernels/transpose/swizzled.cu",
        .launch = transpose_swizzled,
    },
    {
        .id = "vector",
        .title = "16 bytes per access",
        .idea = "Every load and store moves 16 bytes, and small blocks are "
                "turned in registers. The tile stays 128 bytes wide.",
        .where = KERNEL_CUDA,
        .file = "kernels/transpose/vector.cu",
        .launch = transpose_vector,
    },
    {
        .id = "wide",
        .title = "tiles of 256 bytes",
        .idea = "The tile is twice as wide on both sides, so that longer "
                "pieces of a row arrive together.",
        .where = KERNEL_CUDA,
        .file = "kernels/transpose/wide.cu",
        .launch = transpose_wide,
    },
    {
        .id = "down",
        .title = "tiles down the columns",
        .idea = "The tiles in another order, so that the writes under way at "
                "one time lie together.",
        .where = KERNEL_CUDA,
        .file = "kernels/transpose/down.cu",
        .launch = transpose_down,
    },
    {
        .id = "engine",
        .title = "tensor copy engine",
        .idea = "The copy engine moves the tiles, in the same order; the "
                "threads only turn them.",
        .where = KERNEL_CUDA,
        .file = "kernels/transpose/engine.cu",
        .prepare = transpose_engine_prepare,
        .launch = transpose_engine,
        .release = transpose_engine_release,
    },
    {
        .id = "geam",
        .title = "cuBLAS geam",
        .idea = "The library's own transpose, cublasSgeam.",
        .where = KERNEL_CUDA,
        .role = KERNEL_PEER,
        .file = "kernels/transpose/geam.cu",
        .supports = is_f32,
        .prepare = transpose_geam_prepare,
        .launch = transpose_geam,
        .release = transpose_geam_release,
        .library = cublas_library,
    },
};

const struct kernel_family transpose_family = {
    .id = "transpose",
    .title = "Matrix transpose",
    .problem = "Write the columns of a matrix as rows. Not one operation is "
               "computed and every byte is moved once in and once out, so a "
               "copy is the limit; but rows lie together in memory and "
               "columns do not, so a program that is coalesced on one side "
               "is scattered on the other.",
    .metric = "bandwidth",
    .file = "kernels/transpose/family.c",
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

/*
 * kernels/histogram/family.c - how often does each key occur?
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include "kernels/declare.h"
#include "kernels/knob.h"
#include "kernels/histogram/histogram.h"
#include "kernels/input_many.h"
#include "kernels/parallel.h"
#include "kernels/torch.h"

#include <string.h>

enum {
    KEYS = 1, /* buffer number of the input; 0 is the counts */
    EXPECT_THREADS = 16,
    EXPECT_GRAIN = 1 << 20,
    EXPECT_KEYS = 1024,    /* keys that expect_part() draws at once */
    BLOCK_BINS = 1 << 13,  /* most bins of a block, so that several blocks
                              fit into an SM's shared memory */
    COLUMN_BINS = 1 << 10, /* most bins of which it also holds 32 copies */
    SPREAD_BINS = 1 << 13, /* fewer are not worth a cluster */
    ONE_QUEUE_N = 1 << 20, /* most keys that may stand in one queue */
};

static size_t length(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "n");
}

static int64_t bins_of(const struct kernel_case *c)
{
    return kernel_num(c, "bins");
}

static enum kernel_draw draw_of(const struct kernel_case *c)
{
    const char *word = kernel_word(c, "keys");

    if (strcmp(word, "zipf") == 0)
        return KERNEL_ZIPF;
    return strcmp(word, "one") == 0 ? KERNEL_ONEKEY : KERNEL_KEYS;
}

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    b[0] = (struct kernel_buffer){.name = "counts",
                                  .access = KERNEL_OUT,
                                  .dtype = KERNEL_I32,
                                  .count = (size_t)bins_of(c)};
    b[KEYS] = (struct kernel_buffer){.name = "keys",
                                     .access = KERNEL_IN,
                                     .dtype = c->dtype,
                                     .count = length(c),
                                     .draw = draw_of(c),
                                     .range = bins_of(c)};
    return 2;
}

/* Each key is read once and adds one to a bin; each bin is written once. */
static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t n = kernel_num(c, "n");
    const bool bytes = c->dtype == KERNEL_U8;

    m->flop = n;
    m->op = "update";
    m->bytes_read = n * (int64_t)kernel_dtype_bytes(c->dtype);
    m->bytes_written = 4 * bins_of(c);
    m->formula = bytes ? "counts[keys[i]] += 1: 1 B read and one update per "
                         "key, 4 B written per bin"
                       : "counts[keys[i]] += 1: 4 B read and one update per "
                         "key, 4 B written per bin";
    m->level = "hbm";
}

/* The counts of all bins, made in one pass that threads share. */
struct exact {
    const struct kernel_case *c;
    uint64_t seed;
    uint32_t count[HISTOGRAM_MAX_BINS];
};

static void expect_part(void *arg, int part, size_t begin, size_t end)
{
    struct exact *e = arg;
    struct kernel_buffer b[KERNEL_MAX_BUFFERS];
    const int64_t bins = bins_of(e->c);
    uint32_t mine[HISTOGRAM_MAX_BINS], key[EXPECT_KEYS];

    (void)part;
    buffers(e->c, b);
    memset(mine, 0, (size_t)bins * sizeof mine[0]);
    for (size_t i = begin; i < end; i += EXPECT_KEYS) {
        const size_t n = end - i < EXPECT_KEYS ? end - i : EXPECT_KEYS;

        input_many_keys(&b[KEYS], e->seed, KEYS, i, n, key);
        for (size_t k = 0; k < n; k++)
            mine[key[k]]++;
    }
    for (int64_t k = 0; k < bins; k++)
        __atomic_fetch_add(&e->count[k], mine[k], __ATOMIC_RELAXED);
}

static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    struct exact e = {.c = c, .seed = seed};

    parallel_for(EXPECT_THREADS, length(c), EXPECT_GRAIN, expect_part, &e);
    for (size_t k = 0; k < n; k++)
        value[k] = magnitude[k] = (double)e.count[idx[k]];
}

/* An output is cheap: one pass counts all bins. */
static size_t terms(const struct kernel_case *c)
{
    (void)c;
    return 1;
}

static double tolerance(const struct kernel_case *c, const char **why)
{
    (void)c;
    *why = "counts are integers below 2^31: exact";
    return 0;
}

static bool is_bytes(const struct kernel_case *c)
{
    return c->dtype == KERNEL_U8;
}

/* Few keys share an address, so few atomics wait for each other. Keys of a byte
   are left out: the same atomics, four times as many for each byte read. */
static bool short_queue(const struct kernel_case *c)
{
    return !is_bytes(c) &&
           (draw_of(c) == KERNEL_KEYS || length(c) <= ONE_QUEUE_N);
}

static bool fits_block(const struct kernel_case *c)
{
    return bins_of(c) <= BLOCK_BINS;
}

static bool fits_columns(const struct kernel_case *c)
{
    return bins_of(c) <= COLUMN_BINS;
}

static bool needs_halves(const struct kernel_case *c)
{
    return !is_bytes(c) && bins_of(c) > BLOCK_BINS;
}

static bool worth_spreading(const struct kernel_case *c)
{
    return !is_bytes(c) && bins_of(c) >= SPREAD_BINS;
}

#define CASE(dtype, n, bins, keys, use)                                      \
    {                                                                        \
        {{"n", n, NULL}, {"bins", bins, NULL}, {"keys", 0, keys}}, 3, dtype, \
            use                                                              \
    }
#define WORDS(n, bins, keys, use) CASE(KERNEL_I32, n, bins, keys, use)
#define BYTES(n, keys, use) CASE(KERNEL_U8, n, HISTOGRAM_BYTE_BINS, keys, use)
#define COLD KERNEL_MEASURE_CUDA | KERNEL_COLD
#define ON_CPU KERNEL_MEASURE_CPU | KERNEL_COLD

static const struct kernel_case cases[] = {
    /* around one vector, one warp, one tile of each variant, and primes */
    BYTES(1, "uniform", KERNEL_CHECK),
    BYTES(17, "uniform", KERNEL_CHECK),
    BYTES(511, "zipf", KERNEL_CHECK),
    BYTES(8191, "uniform", KERNEL_CHECK),
    BYTES(8193, "one", KERNEL_CHECK),
    BYTES(65537, "uniform", KERNEL_CHECK),
    BYTES(1000003, "zipf", KERNEL_CHECK),
    BYTES(4194319, "one", KERNEL_CHECK),
    BYTES(67108879, "uniform", KERNEL_CHECK),
    WORDS(1, 1, "uniform", KERNEL_CHECK),
    WORDS(3, 256, "uniform", KERNEL_CHECK),
    WORDS(33, 7, "uniform", KERNEL_CHECK),
    WORDS(8191, 31, "uniform", KERNEL_CHECK),
    WORDS(16387, 257, "zipf", KERNEL_CHECK),
    WORDS(65537, 1023, "one", KERNEL_CHECK),
    WORDS(1000003, 1024, "zipf", KERNEL_CHECK),
    WORDS(1000003, 8191, "uniform", KERNEL_CHECK),
    WORDS(4194319, 8192, "one", KERNEL_CHECK),
    /* more than one block's shared memory holds, and bins that run over */
    WORDS(16385, 8193, "uniform", KERNEL_CHECK),
    WORDS(1000003, 65535, "zipf", KERNEL_CHECK),
    WORDS(16777259, 65536, "one", KERNEL_CHECK),
    WORDS(134217757, 65536, "zipf", KERNEL_CHECK),
    /* how many bins */
    WORDS(1 << 28, 256, "uniform", COLD),
    WORDS(1 << 28, 1 << 10, "uniform", COLD),
    WORDS(1 << 28, 1 << 13, "uniform", COLD),
    WORDS(1 << 28, 1 << 16, "uniform", COLD),
    /* which keys */
    WORDS(1 << 27, 256, "one", COLD),
    WORDS(1 << 27, 1 << 16, "zipf", COLD),
    WORDS(1 << 27, 1 << 16, "one", COLD),
    BYTES(1 << 28, "uniform", COLD),
    BYTES(1 << 28, "zipf", COLD),
    BYTES(1 << 28, "one", COLD),
    /* how many keys */
    BYTES(1 << 24, "uniform", COLD),
    BYTES(1 << 30, "uniform", COLD),
    /* on a CPU */
    BYTES(1 << 22, "uniform", ON_CPU),
    BYTES(1 << 22, "one", ON_CPU),
    WORDS(1 << 22, 1 << 16, "uniform", ON_CPU),
};

/* torch.histc counts in the type of the keys, so counts of bytes would
 * overflow. It gets keys that are not uniform only where a block holds all
 * bins. */
static bool is_for_peer(const struct kernel_case *c)
{
    return !is_bytes(c) && (c->use & KERNEL_MEASURE_CUDA) &&
           (draw_of(c) == KERNEL_KEYS || fits_block(c));
}

TORCH_PEERS(histogram)

LAUNCHER(histogram_global);
LAUNCHER(histogram_shared);
LAUNCHER(histogram_vector);
LAUNCHER(histogram_aggregate);
LAUNCHER(histogram_replicated);
PREPARE(histogram_replicated_prepare);
LAUNCHER(histogram_overlap);
PREPARE(histogram_overlap_prepare);
LAUNCHER(histogram_packed);
LAUNCHER(histogram_tensor);
LAUNCHER(histogram_halves);
PREPARE(histogram_halves_prepare);
LAUNCHER(histogram_cluster);
PREPARE(histogram_cluster_prepare);
LAUNCHER(histogram_cub);
SCRATCH(histogram_cub_scratch);
PREPARE(histogram_cub_prepare);
C_LAUNCHER(histogram_c_scalar);
C_LAUNCHER(histogram_c_simd);

static const struct kernel_variant variants[] = {
    {
        .id = "c_scalar",
        .title = "plain C loop",
        .idea = "One set of bins, one CPU thread, one key after the other.",
        .where = KERNEL_CPU,
        .file = "kernels/histogram/c_scalar.c",
        .launch = histogram_c_scalar,
    },
    {
        .id = "c_simd",
        .title = "C, four sets and threads",
        .idea = "Neighbouring keys go to different sets of bins, and every "
                "core takes a share.",
        .where = KERNEL_CPU,
        .file = "kernels/histogram/c_simd.c",
        .launch = histogram_c_simd,
    },
    {
        .id = "global",
        .title = "global atomics",
        .idea = "Every thread adds one to its key's bin in global memory.",
        .where = KERNEL_CUDA,
        .file = "kernels/histogram/global.cu",
        .supports = short_queue,
        .launch = histogram_global,
    },
    {
        .id = "shared",
        .title = "bins in shared memory",
        .idea = "A block counts into bins of its own and adds them to the "
                "result once.",
        .where = KERNEL_CUDA,
        .file = "kernels/histogram/shared.cu",
        .supports = fits_block,
        .launch = histogram_shared,
    },
    {
        .id = "vector",
        .title = "16 bytes, four in flight",
        .idea = "Each thread asks for four vectors of keys before it counts "
                "the first.",
        .where = KERNEL_CUDA,
        .file = "kernels/histogram/vector.cu",
        .supports = fits_block,
        .launch = histogram_vector,
    },
    {
        .id = "aggregate",
        .title = "runs of equal keys",
        .idea = "A thread counts equal neighbours in a register and adds the "
                "length of the run.",
        .where = KERNEL_CUDA,
        .file = "kernels/histogram/aggregate.cu",
        .supports = fits_block,
        .launch = histogram_aggregate,
    },
    {
        .id = "replicated",
        .title = "a column for each lane",
        .idea = "Thirty-two copies of the bins, one in each bank, so that no "
                "two lanes of a warp ever meet.",
        .where = KERNEL_CUDA,
        .file = "kernels/histogram/replicated.cu",
        .supports = fits_columns,
        .prepare = histogram_replicated_prepare,
        .launch = histogram_replicated,
    },
    {
        .id = "overlap",
        .title = "clearing overlapped, one block",
        .idea = "The counting does not wait until the result is clear, and "
                "half as many blocks queue up at its end.",
        .where = KERNEL_CUDA,
        .file = "kernels/histogram/overlap.cu",
        .supports = fits_columns,
        .prepare = histogram_overlap_prepare,
        .launch = histogram_overlap,
    },
    {
        .id = "packed",
        .title = "bytes without atomics",
        .idea = "Each thread has bins of a byte to itself and empties them "
                "before they run over.",
        .where = KERNEL_CUDA,
        .file = "kernels/histogram/packed.cu",
        .supports = is_bytes,
        .launch = histogram_packed,
    },
    {
        .id = "tensor",
        .title = "product of two bit matrices",
        .idea = "Which keys have which upper digit, times which keys have "
                "which lower digit, on tensor cores.",
        .where = KERNEL_CUDA,
        .file = "kernels/histogram/tensor.cu",
        .supports = is_bytes,
        .launch = histogram_tensor,
    },
    {
        .id = "halves",
        .title = "bins of two bytes",
        .idea = "Two bins share a word, so that 65536 of them fit into one "
                "block; a full one is handed on.",
        .where = KERNEL_CUDA,
        .file = "kernels/histogram/halves.cu",
        .supports = needs_halves,
        .prepare = histogram_halves_prepare,
        .launch = histogram_halves,
    },
    {
        .id = "cluster",
        .title = "bins over a cluster",
        .idea = "Four multiprocessors hold a quarter of the bins each, and "
                "send additions to each other.",
        .where = KERNEL_CUDA,
        .file = "kernels/histogram/cluster.cu",
        .supports = worth_spreading,
        .prepare = histogram_cluster_prepare,
        .launch = histogram_cluster,
    },
    {
        .id = "cub",
        .title = "CUB",
        .idea = "DeviceHistogram::HistogramEven.",
        .where = KERNEL_CUDA,
        .role = KERNEL_PEER,
        .file = "kernels/histogram/cub.cu",
        .scratch_bytes = histogram_cub_scratch,
        .prepare = histogram_cub_prepare,
        .launch = histogram_cub,
    },
    TORCH_EAGER(histogram, is_for_peer,
                "torch.histc, which also looks for keys out of range and "
                "counts in the type of the keys."),
};

LAUNCHER(histogram_overlap_swept);
PREPARE(histogram_overlap_prepare_swept);

/* Rows may come in any order; kernels/knob.h says how to add one. */
const struct kernel_knob histogram_knobs[] = {
    {
        .variant = "overlap",
        .name = "vectors",
        .unit = "vectors",
        .chosen = 8,
        .value = {1, 2, 4, 6, 8, 10, 12},
        .file = "kernels/histogram/overlap_vectors.cu",
        .prepare = histogram_overlap_prepare_swept,
        .launch = histogram_overlap_swept,
    },
    {0},
};

const struct kernel_family histogram_family = {
    .id = "histogram",
    .title = "Histogram",
    .problem = "Count how often each key occurs. Every key is read once and "
               "adds one to a bin that it alone decides, so bandwidth is one "
               "roof, and how many additions a cycle the units that own the "
               "bins can do is another. Which is lower depends on the size "
               "of a key, the number of bins and how alike the keys are.",
    .metric = "bandwidth",
    .file = "kernels/histogram/family.c",
    .cases = cases,
    .ncases = sizeof cases / sizeof cases[0],
    .variants = variants,
    .nvariants = sizeof variants / sizeof variants[0],
    .buffers = buffers,
    .model = model,
    .expect = expect,
    .terms = terms,
    .tolerance = tolerance,
    .finite_only = "keys are integers: none is NaN or infinite",
};

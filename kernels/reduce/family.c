/*
 * kernels/reduce/family.c - the sum of n floats.
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include "kernels/declare.h"
#include "kernels/input.h"
#include "kernels/input_many.h"
#include "kernels/parallel.h"
#include "kernels/torch.h"

enum {
    X = 1,               /* buffer number of the input; 0 is the sum */
    ONE_CHAIN = 1 << 24, /* longest n that one chain of additions may do */
    CHAINS = 1 << 16,    /* chains that a longer n must be split into */
    EXPECT_THREADS = 16,
};

static size_t length(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "n");
}

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    b[0] = kernel_out("sum", KERNEL_F32, 1);
    b[X] = kernel_in("x", KERNEL_F32, length(c));
    return 2;
}

/* Each element is read once and added once. */
static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t n = kernel_num(c, "n");

    m->flop = n;
    m->bytes_read = 4 * n;
    m->bytes_written = 4;
    m->formula = "sum = x[0] + ... + x[n-1]: 4 B read and 1 FLOP per element, "
                 "4 B written";
    m->unit = "fp32";
    m->level = "hbm";
}

/*
 * Inputs are whole multiples of 2^-23, so their sum in units of 2^-23 is an
 * integer, and 2^30 of them fit in 64 bits: the reference is exact. NaN and
 * infinities are added apart, in a double, and decide the sum if there are any.
 */
struct exact {
    const struct kernel_buffer *x;
    uint64_t seed;
    int64_t sum[PARALLEL_MAX], size[PARALLEL_MAX];
    double special[PARALLEL_MAX]; /* 0, infinite or NaN */
};

static void expect_part(void *arg, int part, size_t begin, size_t end)
{
    struct exact *e = arg;
    struct input_sum all = {0, 0};
    double special = 0;

    if (!input_many_sum(e->x, e->seed, X, begin, end, &all))
        for (size_t i = begin; i < end; i++) {
            const double x = (double)input_f32(e->seed, X, i);
            const int64_t units = isfinite(x) ? (int64_t)(x * 0x1p23) : 0;

            if (!isfinite(x))
                special += x;
            all.sum += units;
            all.size += units < 0 ? -units : units;
        }
    e->sum[part] = all.sum;
    e->size[part] = all.size;
    e->special[part] = special;
}

static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    struct kernel_buffer b[KERNEL_MAX_BUFFERS];
    struct exact e = {.x = &b[X], .seed = seed};
    /* One output cannot be split by the caller, so it is split here. */
    const int threads = length(c) > ONE_CHAIN ? EXPECT_THREADS : 1;

    (void)idx;
    buffers(c, b);
    const int parts = parallel_for(threads, length(c), 1, expect_part, &e);

    for (int i = 1; i < parts; i++) {
        e.sum[0] += e.sum[i];
        e.size[0] += e.size[i];
        e.special[0] += e.special[i];
    }
    for (size_t k = 0; k < n; k++) {
        value[k] = (double)e.sum[0] * 0x1p-23 + e.special[0];
        magnitude[k] = (double)e.size[0] * 0x1p-23;
    }
}

static size_t terms(const struct kernel_case *c)
{
    return length(c);
}

/*
 * u = 2^-24. The bound that always holds, (n-1) u of the sum of |x|, is useless
 * for large n, so this uses what is known of the inputs: they are independent
 * with mean 0 and variance 1/3 (Higham and Mary, SIAM J. Sci. Comput. 42, 2020,
 * doi 10.1137/20M1314355, treat this case).
 *
 *   A running sum of k terms is about sqrt(k/3). Each addition errs by at
 *   most u times the sum so far, with either sign. Over a chain of n that
 *   makes a standard deviation of at most u sqrt(1/3 + 2/3 + ... + n/3) =
 *   u n / sqrt(6), or 0.82 u of the sum of |x|, which is n/2. Ten of
 *   these, 8u, allow for an unlucky walk.
 *
 *   m chains of n/m terms each have independent errors: u n / sqrt(6 m).
 *   Adding the m sums up costs about u sqrt(n log2 m), which is less.
 *
 * A single chain is allowed up to 2^24; a longer input must be split into
 * 2^16 chains at least, and the tolerance is 256 times smaller, so that
 * a handful of lost elements is found in 2^30.
 */
static double tolerance(const struct kernel_case *c, const char **why)
{
    const double u = 0x1p-24;

    if (length(c) <= ONE_CHAIN) {
        *why = "8u of the sum of |x|: ten standard deviations of one chain of "
               "additions, u n / sqrt(6), for inputs with mean 0";
        return 8 * u;
    }
    *why = "u/32 of the sum of |x|: ten standard deviations of 2^16 chains of "
           "additions, u n / sqrt(6 * 2^16), for inputs with mean 0";
    return 8 * u / 256; /* 256 = sqrt(CHAINS) */
}

_Static_assert(CHAINS == 256 * 256, "tolerance() has the root of CHAINS");

static bool one_chain(const struct kernel_case *c)
{
    return length(c) <= ONE_CHAIN;
}

#define CASE(n, use)                         \
    {                                        \
        {{"n", n, NULL}}, 1, KERNEL_F32, use \
    }
#define COLD KERNEL_MEASURE_CUDA | KERNEL_COLD
#define BOTH COLD | KERNEL_HOT
#define ON_CPU KERNEL_MEASURE_CPU

static const struct kernel_case cases[] = {
    /* around one vector, one warp, one block, one tile, and primes */
    CASE(1, KERNEL_CHECK),        CASE(2, KERNEL_CHECK),
    CASE(3, KERNEL_CHECK),        CASE(31, KERNEL_CHECK),
    CASE(255, KERNEL_CHECK),      CASE(257, KERNEL_CHECK),
    CASE(1025, KERNEL_CHECK),     CASE(4095, KERNEL_CHECK),
    CASE(4097, KERNEL_CHECK),     CASE(65537, KERNEL_CHECK),
    CASE(1000003, KERNEL_CHECK),  CASE(4194301, KERNEL_CHECK),
    CASE(4194319, KERNEL_CHECK),  CASE(67108879, KERNEL_CHECK),
    CASE(1 << 16, BOTH),          CASE(1 << 18, BOTH),
    CASE(1 << 20, BOTH | ON_CPU), CASE(1 << 22, BOTH),
    CASE(1 << 24, COLD | ON_CPU), CASE(1 << 26, COLD),
    CASE(1 << 28, COLD),          CASE(1 << 30, COLD),
};

static bool is_for_peer(const struct kernel_case *c)
{
    return length(c) == 1 << 20 || length(c) == 1 << 28;
}

TORCH_PEERS(reduce)

LAUNCHER(reduce_atomic);
LAUNCHER(reduce_tree);
SCRATCH(reduce_tree_scratch);
LAUNCHER(reduce_shuffle);
SCRATCH(reduce_shuffle_scratch);
LAUNCHER(reduce_vector);
SCRATCH(reduce_vector_scratch);
LAUNCHER(reduce_single);
SCRATCH(reduce_single_scratch);
LAUNCHER(reduce_inband);
SCRATCH(reduce_inband_scratch);
LAUNCHER(reduce_overlap);
SCRATCH(reduce_overlap_scratch);
LAUNCHER(reduce_cub);
SCRATCH(reduce_cub_scratch);
PREPARE(reduce_cub_prepare);
C_LAUNCHER(reduce_c_scalar);
C_LAUNCHER(reduce_c_simd);

static const struct kernel_variant variants[] = {
    {
        .id = "c_scalar",
        .title = "plain C loop",
        .idea = "One running sum on one CPU thread: each addition waits for "
                "the one before.",
        .where = KERNEL_CPU,
        .file = "kernels/reduce/c_scalar.c",
        .supports = one_chain,
        .launch = reduce_c_scalar,
    },
    {
        .id = "c_simd",
        .title = "C, vectors and threads",
        .idea = "Thirty-two running sums per thread, and every core takes a "
                "share.",
        .where = KERNEL_CPU,
        .file = "kernels/reduce/c_simd.c",
        .launch = reduce_c_simd,
    },
    {
        .id = "atomic",
        .title = "contended atomics",
        .idea = "Every thread adds its element to the one result.",
        .where = KERNEL_CUDA,
        .file = "kernels/reduce/atomic.cu",
        .supports = one_chain,
        .launch = reduce_atomic,
    },
    {
        .id = "tree",
        .title = "tree in shared memory",
        .idea = "Each block halves 256 elements eight times in shared memory; "
                "the same again over the sums of the blocks.",
        .where = KERNEL_CUDA,
        .file = "kernels/reduce/tree.cu",
        .scratch_bytes = reduce_tree_scratch,
        .launch = reduce_tree,
    },
    {
        .id = "shuffle",
        .title = "warp shuffle",
        .idea = "The lanes of a warp hand their values over in registers; one "
                "barrier is left of eight.",
        .where = KERNEL_CUDA,
        .file = "kernels/reduce/shuffle.cu",
        .scratch_bytes = reduce_shuffle_scratch,
        .launch = reduce_shuffle,
    },
    {
        .id = "vector",
        .title = "vectors, four chains",
        .idea = "As many blocks as fit, each walks through the input with "
                "four 16-byte loads in flight per thread.",
        .where = KERNEL_CUDA,
        .file = "kernels/reduce/vector.cu",
        .scratch_bytes = reduce_vector_scratch,
        .launch = reduce_vector,
    },
    {
        .id = "single",
        .title = "one launch",
        .idea = "The block that finishes last adds the partial sums up, so "
                "that no second kernel is needed.",
        .where = KERNEL_CUDA,
        .file = "kernels/reduce/single.cu",
        .scratch_bytes = reduce_single_scratch,
        .launch = reduce_single,
    },
    {
        .id = "inband",
        .title = "flag and sum in one word",
        .idea = "A partial sum travels with its own ready flag, so that no "
                "fence and no counter stand between it and the last block.",
        .where = KERNEL_CUDA,
        .file = "kernels/reduce/inband.cu",
        .scratch_bytes = reduce_inband_scratch,
        .launch = reduce_inband,
    },
    {
        .id = "overlap",
        .title = "launch overlapped",
        .idea = "The start of the kernel overlaps with the end of the one "
                "before it in the stream.",
        .where = KERNEL_CUDA,
        .file = "kernels/reduce/overlap.cu",
        .scratch_bytes = reduce_overlap_scratch,
        .launch = reduce_overlap,
    },
    {
        .id = "cub",
        .title = "CUB",
        .idea = "DeviceReduce::Sum.",
        .where = KERNEL_CUDA,
        .role = KERNEL_PEER,
        .file = "kernels/reduce/cub.cu",
        .scratch_bytes = reduce_cub_scratch,
        .prepare = reduce_cub_prepare,
        .launch = reduce_cub,
    },
    TORCH_EAGER(reduce, is_for_peer, "torch.sum, a kernel of its own."),
    TORCH_COMPILED(reduce, is_for_peer,
                   "The same expression, compiled in the default mode."),
};

const struct kernel_family reduce_family = {
    .id = "reduce",
    .title = "Sum of floats",
    .problem = "Add n floats into one. The arithmetic is free, so a large sum "
               "is a read at memory speed; a small one is a question of how "
               "fast the processors can agree on the result.",
    .metric = "bandwidth",
    .file = "kernels/reduce/family.c",
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

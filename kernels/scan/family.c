/*
 * kernels/scan/family.c - exclusive prefix sums of n elements.
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include "kernels/declare.h"
#include "kernels/input.h"
#include "kernels/knob.h"
#include "kernels/input_many.h"
#include "kernels/parallel.h"
#include "kernels/scan/scan.h"
#include "kernels/torch.h"

enum {
    X = 1,               /* buffer number of the input; 0 is the result */
    KEYS = 2,            /* integers are 0 or 1: 2^30 of them fit an i32 */
    ONE_CHAIN = 1 << 24, /* longest n that one chain of additions may do */
    SHORT = 1 << 16,     /* elements: prefixes up to here, and */
    SHORTER_BY = 32,     /* = sqrt(1024): see tolerance() */
    STORY = 1 << 28,     /* longest n of the steps on the way */
    SPLIT = 1 << 20,     /* elements: from here on expect() has threads */
    EXPECT_THREADS = 16,
};

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    const size_t n = scan_length(c);

    b[0] = (struct kernel_buffer){
        .name = "y", .access = KERNEL_OUT, .dtype = c->dtype, .count = n};
    b[X] = (struct kernel_buffer){
        .name = "x", .access = KERNEL_IN, .dtype = c->dtype, .count = n};
    if (c->dtype == KERNEL_I32) {
        b[X].draw = KERNEL_KEYS;
        b[X].range = KEYS;
    }
    return 2;
}

/* Each element is read once, added once, and its prefix written once. */
static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t n = kernel_num(c, "n");

    m->flop = n;
    m->bytes_read = 4 * n;
    m->bytes_written = 4 * n;
    m->level = "hbm";
    if (c->dtype == KERNEL_I32) {
        m->formula = "y[i] = x[0] + ... + x[i-1]: 4 B read, 1 addition and "
                     "4 B written per element";
        m->op = "addition";
        return;
    }
    m->formula = "y[i] = x[0] + ... + x[i-1]: 4 B read, 1 FLOP and 4 B "
                 "written per element";
    m->unit = "fp32";
}

/*
 * All inputs are whole multiples of 2^-23, so every prefix in units of 2^-23 is
 * an integer, and 2^30 of them fit in 64 bits: the reference is exact. NaN and
 * infinities are added apart, in a double, and decide the prefix if there are
 * any.
 *
 * One walk from the first element gives all prefixes that are asked for, so
 * they must come in ascending order. terms() says that an output is cheap, so
 * the runner asks for many in one call. Threads share a long walk: each begins
 * with a sum of 0, and the sums of the threads before it are added later.
 */
struct walk {
    const struct kernel_buffer *x;
    uint64_t seed;
    const size_t *idx;
    size_t n;
    double *value, *magnitude; /* in units, until all sums are known */
    int64_t sum[PARALLEL_MAX], size[PARALLEL_MAX];
    double special[PARALLEL_MAX];   /* 0, infinite or NaN */
    size_t first[PARALLEL_MAX + 1]; /* output of each part, and their end */
};

static size_t first_from(const struct walk *w, size_t i)
{
    size_t low = 0, high = w->n;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (w->idx[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds elements i … end - 1, of which none is asked for. */
static void walk_past(struct walk *w, int part, size_t i, size_t end)
{
    struct input_sum all = {0, 0};

    if (!input_many_sum(w->x, w->seed, X, i, end, &all))
        for (; i < end; i++) {
            const double x = input_number(w->x, w->seed, X, i);
            const int64_t units = isfinite(x) ? (int64_t)(x * 0x1p23) : 0;

            if (!isfinite(x))
                w->special[part] += x;
            all.sum += units;
            all.size += units < 0 ? -units : units;
        }
    w->sum[part] += all.sum;
    w->size[part] += all.size;
}

static void walk_part(void *arg, int part, size_t begin, size_t end)
{
    struct walk *w = arg;
    size_t k = w->first[part] = first_from(w, begin);

    w->sum[part] = w->size[part] = 0;
    w->special[part] = 0;
    for (size_t i = begin; i < end;) {
        const size_t next = k < w->n && w->idx[k] < end ? w->idx[k] : end;

        walk_past(w, part, i, next);
        i = next;
        for (; k < w->n && w->idx[k] == i && i < end; k++) {
            w->value[k] = (double)w->sum[part] + w->special[part];
            w->magnitude[k] = (double)w->size[part];
        }
        if (i < end)
            walk_past(w, part, i, i + 1);
        i++;
    }
}

static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    struct kernel_buffer b[KERNEL_MAX_BUFFERS];
    struct walk w = {.x = &b[X],
                     .seed = seed,
                     .idx = idx,
                     .n = n,
                     .value = value,
                     .magnitude = magnitude};
    const size_t end = idx[n - 1] + 1;
    int64_t sum = 0, size = 0;
    double special = 0;

    buffers(c, b);
    const int parts =
        parallel_for(end > SPLIT ? EXPECT_THREADS : 1, end, 1, walk_part, &w);

    w.first[parts] = n;
    for (int p = 0; p < parts; p++) {
        for (size_t k = w.first[p]; k < w.first[p + 1]; k++) {
            value[k] = (value[k] + (double)sum + special) * 0x1p-23;
            magnitude[k] = (magnitude[k] + (double)size) * 0x1p-23;
            if (idx[k] > SHORT && scan_length(c) > ONE_CHAIN)
                magnitude[k] /= SHORTER_BY;
        }
        sum += w.sum[p];
        size += w.size[p];
        special += w.special[p];
    }
}

/* See struct walk. The runner then asks for at least 2^17 outputs in a call. */
static size_t terms(const struct kernel_case *c)
{
    (void)c;
    return 8;
}

/*
 * Integers add up exactly. For floats, let u = 2^-24. The sum of |x| is taken
 * over the elements before prefix i: about i/2. As for a sum
 * (kernels/reduce/family.c, after Higham and Mary, SIAM J. Sci. Comput. 42,
 * 2020, doi 10.1137/20M1314355), the inputs are independent with mean 0 and
 * variance 1/3:
 *
 *   A running sum of k terms is about sqrt(k/3), and each addition errs by at
 *   most u times that, with either sign. One chain up to prefix i makes a
 *   standard deviation of at most u i / sqrt(6), or 0.82 u of the sum of |x|;
 *   ten of these, 8u, allow for an unlucky walk. For prefixes of up to nine
 *   elements 8u is also what always holds.
 *
 *   Inputs longer than 2^24 must be scanned in tiles of 1024 elements or
 *   more. Then prefix i has gone through at most i / 1024 additions of sums
 *   of tiles, and errs by u i / sqrt(6 * 1024). That is a 32nd of the error
 *   of one chain. Beyond 2^16 the additions within a tile count for little,
 *   so expect() divides the magnitude by 32 there.
 */
static double tolerance(const struct kernel_case *c, const char **why)
{
    if (c->dtype == KERNEL_I32) {
        *why = "integers that fit: exact";
        return 0;
    }
    if (scan_length(c) <= ONE_CHAIN)
        *why = "8u of the sum of |x| up to the element: ten standard "
               "deviations of one chain of additions, u i / sqrt(6), for "
               "inputs with mean 0";
    else
        *why = "8u of the sum of |x| up to the element, and beyond 2^16 of "
               "them u/4: ten standard deviations of a chain of sums of 1024 "
               "elements, u i / sqrt(6 * 1024), for inputs with mean 0";
    return 8 * 0x1p-24;
}

_Static_assert(SHORTER_BY *SHORTER_BY == 1024, "as tolerance() says");

static bool one_chain(const struct kernel_case *c)
{
    return c->dtype == KERNEL_I32 || scan_length(c) <= ONE_CHAIN;
}

static bool floats(const struct kernel_case *c)
{
    return c->dtype == KERNEL_F32;
}

/* The first steps are written for floats only. They are slow, and 2^30 elements
 * would say nothing new about them. */
static bool first_steps(const struct kernel_case *c)
{
    return floats(c) && scan_length(c) <= STORY;
}

#define CASE(n, dtype, use)             \
    {                                   \
        {{"n", n, NULL}}, 1, dtype, use \
    }
#define F32(n, use) CASE(n, KERNEL_F32, use)
#define I32(n, use) CASE(n, KERNEL_I32, use)
#define COLD KERNEL_MEASURE_CUDA | KERNEL_COLD
#define ON_CPU KERNEL_MEASURE_CPU

static const struct kernel_case cases[] = {
    /* around one vector, one row, one block, one tile of each kind, what 132
       blocks take in one go, and primes */
    F32(1, KERNEL_CHECK),
    F32(2, KERNEL_CHECK),
    F32(3, KERNEL_CHECK),
    F32(31, KERNEL_CHECK),
    F32(129, KERNEL_CHECK),
    F32(1023, KERNEL_CHECK),
    F32(1025, KERNEL_CHECK),
    F32(2049, KERNEL_CHECK),
    F32(4095, KERNEL_CHECK),
    F32(4097, KERNEL_CHECK),
    F32(8191, KERNEL_CHECK),
    F32(65537, KERNEL_CHECK),
    F32(132 * 2048 + 1, KERNEL_CHECK),
    F32(1000003, KERNEL_CHECK),
    F32(132 * 8192 + 1, KERNEL_CHECK),
    F32(4194319, KERNEL_CHECK),
    F32(67108879, KERNEL_CHECK),
    I32(1, KERNEL_CHECK),
    I32(33, KERNEL_CHECK),
    I32(1025, KERNEL_CHECK),
    I32(4097, KERNEL_CHECK),
    I32(65537, KERNEL_CHECK),
    I32(1000003, KERNEL_CHECK),
    I32(67108879, KERNEL_CHECK),
    F32(1 << 16, COLD),
    F32(1 << 20, COLD | ON_CPU),
    F32(1 << 24, COLD | ON_CPU),
    F32(1 << 28, COLD),
    F32(1 << 30, COLD),
    I32(1 << 16, COLD),
    I32(1 << 20, COLD | ON_CPU),
    I32(1 << 24, COLD),
    I32(1 << 28, COLD),
    I32(1 << 30, COLD),
};

static bool is_for_peer(const struct kernel_case *c)
{
    const size_t n = scan_length(c);

    return floats(c) && (n == 1 << 16 || n == 1 << 20 || n == 1 << 28);
}

TORCH_PEERS(scan)

LAUNCHER(scan_hillis);
SCRATCH(scan_hillis_scratch);
LAUNCHER(scan_blelloch);
SCRATCH(scan_blelloch_scratch);
LAUNCHER(scan_three);
SCRATCH(scan_three_scratch);
LAUNCHER(scan_shuffle);
SCRATCH(scan_shuffle_scratch);
LAUNCHER(scan_chained);
SCRATCH(scan_chained_scratch);
LAUNCHER(scan_lookback);
SCRATCH(scan_lookback_scratch);
LAUNCHER(scan_warp_launch);
SCRATCH(scan_warp_scratch);
LAUNCHER(scan_lookahead);
SCRATCH(scan_lookahead_scratch);
PREPARE(scan_lookahead_prepare);
LAUNCHER(scan_cub);
SCRATCH(scan_cub_scratch);
PREPARE(scan_cub_prepare);
C_LAUNCHER(scan_c_scalar);
C_LAUNCHER(scan_c_simd);

static const struct kernel_variant variants[] = {
    {
        .id = "c_scalar",
        .title = "plain C loop",
        .idea = "One running sum on one CPU thread: the definition.",
        .where = KERNEL_CPU,
        .file = "kernels/scan/c_scalar.c",
        .supports = one_chain,
        .launch = scan_c_scalar,
    },
    {
        .id = "c_simd",
        .title = "C, vectors and threads",
        .idea = "Every core adds up its share, then scans it from what comes "
                "before.",
        .where = KERNEL_CPU,
        .file = "kernels/scan/c_simd.c",
        .launch = scan_c_simd,
    },
    {
        .id = "hillis",
        .title = "Hillis and Steele",
        .idea = "In ten steps each element of a block adds those 1, 2, 4, … "
                "512 before it; the sums of the blocks are added later.",
        .where = KERNEL_CUDA,
        .file = "kernels/scan/hillis.cu",
        .supports = first_steps,
        .scratch_bytes = scan_hillis_scratch,
        .launch = scan_hillis,
    },
    {
        .id = "blelloch",
        .title = "Blelloch's tree",
        .idea = "Up a tree and down again: two additions per element instead "
                "of ten, in twice as many steps.",
        .where = KERNEL_CUDA,
        .file = "kernels/scan/blelloch.cu",
        .supports = first_steps,
        .scratch_bytes = scan_blelloch_scratch,
        .launch = scan_blelloch,
    },
    {
        .id = "three",
        .title = "reduce, then scan",
        .idea = "First find out what each block has to start from: the input "
                "is read twice, but the result written once.",
        .where = KERNEL_CUDA,
        .file = "kernels/scan/three.cu",
        .supports = first_steps,
        .scratch_bytes = scan_three_scratch,
        .launch = scan_three,
    },
    {
        .id = "shuffle",
        .title = "warp shuffle, 16 per thread",
        .idea = "The same three kernels, but tiles are scanned in registers, "
                "with vectors and one barrier.",
        .where = KERNEL_CUDA,
        .file = "kernels/scan/shuffle.cu",
        .supports = first_steps,
        .scratch_bytes = scan_shuffle_scratch,
        .launch = scan_shuffle,
    },
    {
        .id = "chained",
        .title = "one pass, chained",
        .idea = "Each block keeps its tile in registers and waits until the "
                "one before tells what it has summed up to.",
        .where = KERNEL_CUDA,
        .file = "kernels/scan/chained.cu",
        .supports = first_steps,
        .scratch_bytes = scan_chained_scratch,
        .launch = scan_chained,
    },
    {
        .id = "lookback",
        .title = "decoupled look-back",
        .idea = "Each block tells its own sum at once, and adds up those "
                "before it until one goes back to the beginning.",
        .where = KERNEL_CUDA,
        .file = "kernels/scan/lookback.cu",
        .supports = floats,
        .scratch_bytes = scan_lookback_scratch,
        .launch = scan_lookback,
    },
    {
        .id = "warp",
        .title = "look-back by a warp",
        .idea = "The 32 lanes of a warp look at 32 tiles at once.",
        .where = KERNEL_CUDA,
        .file = "kernels/scan/warp.cu",
        .supports = floats,
        .scratch_bytes = scan_warp_scratch,
        .launch = scan_warp_launch,
    },
    {
        .id = "lookahead",
        .title = "look-ahead",
        .idea = "Resident blocks whose warps load, scan and look back side by "
                "side, tiles ahead of each other, over a ring of bulk "
                "copies.",
        .where = KERNEL_CUDA,
        .file = "kernels/scan/lookahead.cu",
        .scratch_bytes = scan_lookahead_scratch,
        .prepare = scan_lookahead_prepare,
        .launch = scan_lookahead,
    },
    {
        .id = "cub",
        .title = "CUB",
        .idea = "DeviceScan::ExclusiveSum.",
        .where = KERNEL_CUDA,
        .role = KERNEL_PEER,
        .file = "kernels/scan/cub.cu",
        .scratch_bytes = scan_cub_scratch,
        .prepare = scan_cub_prepare,
        .launch = scan_cub,
    },
    TORCH_EAGER(scan, is_for_peer,
                "torch.cumsum, which is inclusive, written one element "
                "further on, behind a zero."),
};

LAUNCHER(scan_lookahead_swept);
SCRATCH(scan_lookahead_scratch_swept);
PREPARE(scan_lookahead_prepare_swept);

/* Rows may come in any order; kernels/knob.h says how to add one. */
const struct kernel_knob scan_knobs[] = {
    {
        .variant = "lookahead",
        .name = "inflight",
        .unit = "tiles",
        .chosen = 2,
        .value = {1, 2, 3, 4, 5, 6},
        .file = "kernels/scan/lookahead_inflight.cu",
        .scratch_bytes = scan_lookahead_scratch_swept,
        .prepare = scan_lookahead_prepare_swept,
        .launch = scan_lookahead_swept,
    },
    {0},
};

const struct kernel_family scan_family = {
    .id = "scan",
    .title = "Prefix sums",
    .problem = "Give each of n elements the sum of all before it. Every "
               "result depends on every input before it, and yet it can be "
               "done while each byte is moved only once: the question is how "
               "the blocks tell each other what they have summed up, without "
               "the memory standing idle.",
    .metric = "bandwidth",
    .file = "kernels/scan/family.c",
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

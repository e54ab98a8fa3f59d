/*
 * kernels/overlap/family.c - layers of Llama-3-70B cut across GPUs, as a model
 * has them when it reads a prompt: a product, and what the GPUs must exchange
 * before or after it.
 *
 * The next layer needs the result, so two calls in a row cannot overlap. The
 * cases have KERNEL_MEETS for that: no GPU ends a call before all have begun
 * it, and the runner's checks see to it.
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include <math.h>
#include <stdlib.h>

#include "kernels/bf16.h"
#include "kernels/declare.h"
#include "kernels/input.h"
#include "kernels/overlap/overlap.h"
#include "kernels/product.h"

static size_t number(const struct kernel_case *c, const char *name)
{
    return (size_t)kernel_num(c, name);
}

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    const size_t m = number(c, "m"), n = number(c, "n"), k = number(c, "k");
    const size_t share = (size_t)overlap_share(c);
    const bool down = overlap_is_down(c);

    b[OVERLAP_A] = kernel_in("a", KERNEL_BF16, (down ? m : share) * k);
    b[OVERLAP_B] = kernel_in("b", KERNEL_BF16, n * k);
    b[OVERLAP_C] = kernel_out("c", KERNEL_BF16, (down ? share : m) * n);
    return 3;
}

/*
 * Each GPU makes a product. All rows of its terms but its own must leave it, or
 * all rows of A but its own must come.
 */
static void model(const struct kernel_case *c, struct kernel_model *mod)
{
    const int64_t m = kernel_num(c, "m"), n = kernel_num(c, "n");
    const int64_t k = kernel_num(c, "k"), gpus = kernel_gpus(c);
    const int64_t others = m / gpus * (gpus - 1);
    const bool down = overlap_is_down(c);

    *mod = (struct kernel_model){.unit = "bf16", .level = "nvlink"};
    mod->flop = 2 * m * n * k;
    mod->bytes_read = 2 * others * (down ? n : k);
    mod->bytes_written = mod->bytes_read;
    mod->formula = down ? "2 m n k FLOP on each GPU; 2 B for each of n columns "
                          "of (gpus - 1) / gpus of m rows arrive, and leave"
                        : "2 m n k FLOP on each GPU; 2 B for each of k columns "
                          "of (gpus - 1) / gpus of m rows arrive, and leave";
}

/* ---- the reference ---- */

enum { STRETCH = 512, STEP_OF_MMA = 16 };

static const double ROUNDING = 0x1p-8; /* to bf16, which has 8 bits */

/* Of the terms of a sum: their sum, that of their sizes, that of squares. */
struct sums {
    double sum, size, square;
};

/* n elements of input `number` from `begin` on. */
static void draw(uint64_t seed, unsigned number, size_t begin, size_t n,
                 double *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (double)input_real(KERNEL_BF16, seed, number, begin + i);
}

/* Row i of the A of GPU `of_a` times row j of the B of GPU `of_b`. */
static struct sums dot(const struct kernel_case *c, uint64_t seed, int of_a,
                       size_t i, int of_b, size_t j)
{
    const unsigned a = kernel_gpu_input(of_a, OVERLAP_A);
    const unsigned b = kernel_gpu_input(of_b, OVERLAP_B);
    const size_t depth = number(c, "k");
    double x[STRETCH], y[STRETCH];
    struct sums s = {0, 0, 0};

    for (size_t k = 0; k < depth; k += STRETCH) {
        const size_t n = depth - k < STRETCH ? depth - k : STRETCH;

        draw(seed, a, i * depth + k, n, x);
        draw(seed, b, j * depth + k, n, y);
        for (size_t t = 0; t < n; t++) {
            const double term = x[t] * y[t];

            s.sum += term;
            s.size += fabs(term);
            s.square += term * term;
        }
    }
    return s;
}

/* What a product may err by before it is rounded, as a share of 2^-8; nothing
 * if its sums are exact (kernels/product.h). */
static double slack(const struct kernel_case *c, uint64_t seed,
                    const struct sums *s)
{
    const size_t k = number(c, "k");
    const double most = fmin(s->size, 5 * sqrt(s->square));

    if (input_kind(seed) != INPUT_FULL)
        return 0;
    return (product_rounds(k, 24) * s->size +
            product_cuts(k, k, STEP_OF_MMA, 22) * most) /
           ROUNDING;
}

/*
 * Element (i, j) of the sum. Terms are rounded to bf16, and so are theirs here.
 * A term that errs a little may round the other way: by 2^-7 of it. A sum of
 * more than two terms is rounded on its way by a library.
 */
static void expect_sum(const struct kernel_case *c, uint64_t seed, size_t i,
                       size_t j, double *value, double *magnitude)
{
    const int gpus = kernel_gpus(c);
    double all = 0;

    *value = *magnitude = 0;
    for (int g = 0; g < gpus; g++) {
        const struct sums s = dot(c, seed, g, i, g, j);
        const double term = (double)bf16_value(bf16_round((float)s.sum));
        const double err = slack(c, seed, &s);

        *value += term;
        all += fabs(term);
        *magnitude += err > 0 ? err + 2 * fabs(term) : 0;
    }
    *magnitude += fabs(*value) + (gpus - 2) * all;
}

static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t count, double *value,
                   double *magnitude)
{
    const size_t n = number(c, "n"), share = (size_t)overlap_share(c);
    const bool down = overlap_is_down(c);
    const size_t each = (down ? share : number(c, "m")) * n;

    for (size_t o = 0; o < count; o++) {
        const int g = (int)(idx[o] / each);
        const size_t i = idx[o] % each / n, j = idx[o] % n;
        struct sums s;

        if (down) {
            expect_sum(c, seed, (size_t)g * share + i, j, value + o,
                       magnitude + o);
            continue;
        }
        s = dot(c, seed, (int)(i / share), i % share, g, j);
        value[o] = s.sum;
        magnitude[o] = fabs(s.sum) + slack(c, seed, &s);
    }
}

static size_t terms(const struct kernel_case *c)
{
    return number(c, "k") * (overlap_is_down(c) ? (size_t)kernel_gpus(c) : 1);
}

static double tolerance(const struct kernel_case *c, const char **why)
{
    *why = overlap_is_down(c)
               ? "2^-8 of the sum for its rounding to bf16 and of all terms "
                 "for each rounding between, at most gpus - 2; on full inputs "
                 "also the product's error, and a term that rounds the other "
                 "way"
               : "2^-8 of |C| for the rounding to bf16; on full inputs also "
                 "sqrt(k) 2^-24 of the sum of |a b| and 2^-22 of the largest "
                 "running sum for each 16 products";
    return ROUNDING;
}

#define ONE(word, gpus, m, n, k, use)            \
    {                                            \
        {{"layer", 0, word},                     \
         {"gpus", gpus, NULL},                   \
         {"m", m, NULL},                         \
         {"n", n, NULL},                         \
         {"k", k, NULL}},                        \
            5, KERNEL_BF16, (use) | KERNEL_MEETS \
    }
#define DOWN(gpus, m, n, k) ONE("down", gpus, m, n, k, KERNEL_CHECK)
#define UP(gpus, m, n, k) ONE("gate_up", gpus, m, n, k, KERNEL_CHECK)
#define BURST KERNEL_MEASURE_CUDA | KERNEL_COLD | KERNEL_FULL
/* Llama-3-70B: 8192 wide, 28672 inside. */
#define BOTH(gpus, m)                                  \
    ONE("down", gpus, m, 8192, 28672 / (gpus), BURST), \
        ONE("gate_up", gpus, m, 57344 / (gpus), 8192, BURST)
#define ALL(gpus)                                                          \
    BOTH(gpus, 512), BOTH(gpus, 1024), BOTH(gpus, 2048), BOTH(gpus, 4096), \
        BOTH(gpus, 8192)

static const struct kernel_case cases[] = {
    /* a row each; ragged shares of less than a tile, and of more; steps of k
       that do not fill a slot; more tiles than blocks */
    DOWN(2, 2, 8, 8),
    UP(2, 2, 8, 8),
    DOWN(2, 2, 8, 648),
    DOWN(2, 530, 40, 136),
    UP(2, 530, 40, 136),
    DOWN(3, 33, 264, 72),
    UP(3, 33, 264, 72),
    DOWN(4, 36, 24, 200),
    UP(4, 36, 24, 200),
    DOWN(2, 1100, 1032, 264),
    UP(2, 1100, 1032, 264),
    DOWN(4, 2200, 520, 264),
    UP(4, 2200, 520, 264),
    DOWN(2, 4608, 2056, 520),
    UP(2, 4608, 2056, 520),
    ALL(2),
    ALL(4),
};

static bool is_down(const struct kernel_case *c)
{
    return overlap_is_down(c);
}

/* A sum of two terms has one order. */
static bool is_down_of_two(const struct kernel_case *c)
{
    return overlap_is_down(c) && kernel_gpus(c) == 2;
}

static bool is_gate_up(const struct kernel_case *c)
{
    return !overlap_is_down(c);
}

LAUNCHER(overlap_sequential);
LAUNCHER(overlap_streams);
LAUNCHER(overlap_flags);
LAUNCHER(overlap_inside);
LAUNCHER(overlap_joined);
LAUNCHER(overlap_gather);
LAUNCHER(overlap_cublas_nccl);
PREPARE(overlap_sequential_prepare);
PREPARE(overlap_streams_prepare);
PREPARE(overlap_flags_prepare);
PREPARE(overlap_inside_prepare);
PREPARE(overlap_joined_prepare);
PREPARE(overlap_gather_prepare);
PREPARE(overlap_cublas_nccl_prepare);
SCRATCH(overlap_sequential_scratch);
SCRATCH(overlap_streams_scratch);
SCRATCH(overlap_flags_scratch);
SCRATCH(overlap_inside_scratch);
SCRATCH(overlap_joined_scratch);
SCRATCH(overlap_gather_scratch);
SCRATCH(overlap_cublas_nccl_scratch);
RELEASE(overlap_streams_release);
RELEASE(overlap_cublas_nccl_release);
CHOSEN(overlap_cublas_nccl_chosen);
__attribute__((weak)) const char *overlap_cublas_nccl_library(void);

#define STEP(name, can, end, words, what)                                \
    {                                                                    \
        .id = #name, .title = words, .idea = what, .where = KERNEL_CUDA, \
        .file = "kernels/overlap/" #name ".cu", .supports = can,         \
        .scratch_bytes = overlap_##name##_scratch,                       \
        .prepare = overlap_##name##_prepare, .launch = overlap_##name,   \
        .release = end                                                   \
    }

static const struct kernel_variant variants[] = {
    STEP(sequential, NULL, free, "one after the other",
         "A kernel multiplies, another adds up what the GPUs have; or one "
         "brings the rows, and another multiplies."),
    STEP(streams, NULL, overlap_streams_release, "pieces in two streams",
         "While a piece of the rows is multiplied, the copy engine moves the "
         "piece before or after it."),
    STEP(flags, is_down, free, "a few SMs carry tiles away",
         "Who has made a tile raises a flag, and a block that does nothing "
         "else carries it to its owner."),
    STEP(inside, is_down, free, "tiles leave for their owner",
         "The product's own stores put each tile into the memory of the GPU "
         "that adds it up."),
    STEP(joined, is_down_of_two, free, "a tile takes in its other term",
         "The other GPU's term comes into shared memory and is added to the "
         "own one, which has not left its registers."),
    STEP(gather, is_gate_up, free, "rows come while others are multiplied",
         "Idle warps of the product send rows to the other GPUs, and tiles "
         "wait for the rows that they need."),
    {
        .id = "cublas_nccl",
        .title = "cuBLAS and NCCL in sequence",
        .idea = "The fastest of cuBLAS's proposals, then ncclReduceScatter; or "
                "ncclAllGather before it.",
        .where = KERNEL_CUDA,
        .role = KERNEL_PEER,
        .file = "kernels/overlap/cublas_nccl.cu",
        .scratch_bytes = overlap_cublas_nccl_scratch,
        .prepare = overlap_cublas_nccl_prepare,
        .launch = overlap_cublas_nccl,
        .release = overlap_cublas_nccl_release,
        .library = overlap_cublas_nccl_library,
        .chosen = overlap_cublas_nccl_chosen,
        .chooses = KERNEL_CHOOSES_ONCE,
    },
};

const struct kernel_family overlap_family = {
    .id = "overlap",
    .title = "Products that hide communication",
    .problem = "Layers of Llama-3-70B cut across GPUs: a matrix product in "
               "bf16 whose terms lie on all GPUs, which ends with a share of "
               "the rows of their sum on each (down); or one that begins with "
               "a share of the rows on each, and needs them all (gate_up). A "
               "call begins nowhere before the call before has begun "
               "everywhere.",
    .metric = "throughput",
    .file = "kernels/overlap/family.c",
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

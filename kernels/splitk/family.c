/*
 * kernels/splitk/family.c - C[i][j] = Σ_k A[i][k] B[j][k] in bf16 with few
 * rows of A: a linear layer for few tokens, whose tiles are fewer than the SMs.
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include "kernels/declare.h"
#include "kernels/kernel.h"
#include "kernels/product.h"

enum { A, B, C }; /* buffer numbers */

static size_t terms(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "k");
}

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    const size_t m = (size_t)kernel_num(c, "m"), n = (size_t)kernel_num(c, "n");
    const size_t k = terms(c);

    b[A] = kernel_in("a", c->dtype, m * k);
    b[B] = kernel_in("b", c->dtype, n * k);
    b[C] = kernel_out("c", c->dtype, m * n);
    return 3;
}

/* A multiplication and an addition for each output and each k; operands and
 * outputs cross the bus once. */
static void model(const struct kernel_case *c, struct kernel_model *mod)
{
    const int64_t m = kernel_num(c, "m"), n = kernel_num(c, "n");
    const int64_t k = kernel_num(c, "k");

    mod->flop = 2 * m * n * k;
    mod->bytes_read = 2 * (m * k + n * k);
    mod->bytes_written = 2 * m * n;
    mod->formula = "2 m n k FLOP; 2 B read per element of A and B, 2 B written "
                   "per element of C";
    mod->unit = "bf16";
    mod->level = "hbm";
}

bool splitk_product(const struct kernel_case *c, struct kernel_product *p)
{
    const size_t m = (size_t)kernel_num(c, "m"), n = (size_t)kernel_num(c, "n");

    *p = (struct kernel_product){.a = product_rows(A, m, terms(c)),
                                 .b = product_rows(B, n, terms(c)),
                                 .out = product_rows(C, m, n),
                                 .count = 1,
                                 .rows = m,
                                 .cols = n,
                                 .depth = terms(c),
                                 .times = 1,
                                 .sum_bits = 23};
    return true;
}

enum { STEP_OF_MMA = 16 }; /* products that a tensor core adds up at once */

static const double ROUNDING = 0x1p-8; /* to bf16, which has 8 bits */

/* The magnitude that tolerance() refers to. */
static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t count, double *value,
                   double *magnitude)
{
    const size_t k = terms(c);
    const struct product_error e = {
        .sizes = product_rounds(k, 24) / ROUNDING,
        .most = product_cuts(k, k, STEP_OF_MMA, 22) / ROUNDING};
    struct kernel_buffer b[KERNEL_MAX_BUFFERS];
    struct kernel_product p;

    buffers(c, b);
    splitk_product(c, &p);
    product_expect(&p, b, seed, e, idx, count, value, magnitude);
}

/*
 * The result is rounded to bf16: 2^-8 |C|. On CUDA cores the additions round to
 * f32. Tensor cores cut off what lies below 2^-22 of the largest in a step of
 * 16 products. kernels/product.h has both bounds; the magnitude of expect() is
 * |C| and what they allow, as a share of 2^-8.
 */
static double tolerance(const struct kernel_case *c, const char **why)
{
    (void)c;
    *why = "2^-8 of |C| for the rounding to bf16, sqrt(k) 2^-24 of the sum of "
           "|a b| for additions in f32, and 2^-22 of the largest running sum "
           "for each 16 products on tensor cores";
    return ROUNDING;
}

#define ONE(word, m, n, k, use)                                               \
    {                                                                         \
        {{"layer", 0, word}, {"m", m, NULL}, {"n", n, NULL}, {"k", k, NULL}}, \
            4, KERNEL_BF16, use                                               \
    }
#define CHECK(m, n, k) ONE("check", m, n, k, KERNEL_CHECK)
#define COLD(word, m, n, k) \
    ONE(word, m, n, k, KERNEL_MEASURE_CUDA | KERNEL_COLD | KERNEL_FULL)

/* Layers of Llama-3.1-8B: the output projection of attention, and the way down
 * from the wide layer. */
#define O(m) COLD("o", m, 4096, 4096)
#define DOWN(m) COLD("down", m, 4096, 14336)
/* Layers of DeepSeek-V3: the output projection of attention; the way into its
 * latent space, for queries and keys at once and for keys and values alone. */
#define V3_O(m) COLD("v3_o", m, 7168, 16384)
#define V3_A(m) COLD("v3_a", m, 2112, 7168)
#define V3_KV(m) COLD("v3_kv", m, 576, 7168)
/* The layers of Llama-3.1-8B again, of the model with 70 billion numbers. */
#define BIG_O(m) COLD("l70b_o", m, 8192, 8192)
#define BIG_DOWN(m) COLD("l70b_down", m, 8192, 28672)

static const struct kernel_case cases[] = {
    /* tiny; rows that start at odd addresses; one tile, and one row more; a
       tile for all SMs; fewer steps than SMs; ragged in every direction */
    CHECK(1, 1, 1),
    CHECK(3, 5, 7),
    CHECK(17, 33, 40),
    CHECK(64, 128, 64),
    CHECK(1, 64, 1032),
    CHECK(65, 136, 72),
    CHECK(8, 129, 4096),
    CHECK(16, 70, 8200),
    CHECK(33, 520, 1000),
    CHECK(127, 264, 2056),
    CHECK(129, 257, 1000),
    CHECK(256, 128, 4096),
    CHECK(300, 520, 136),
    CHECK(100, 2112, 7168),
    CHECK(211, 3208, 2056),
    CHECK(255, 4100, 520),
    O(1),
    O(16),
    O(64),
    O(128),
    O(256),
    DOWN(1),
    DOWN(16),
    DOWN(64),
    DOWN(256),
    V3_O(16),
    V3_O(128),
    V3_A(16),
    V3_A(128),
    V3_KV(64),
    BIG_O(16),
    BIG_O(128),
    BIG_DOWN(16),
    BIG_DOWN(128),
};

LAUNCHER(splitk_tiles);
LAUNCHER(splitk_atomic);
LAUNCHER(splitk_ordered);
LAUNCHER(splitk_cluster);
LAUNCHER(splitk_streamk);
LAUNCHER(splitk_swap);
LAUNCHER(splitk_fitted);
LAUNCHER(splitk_overlap);
PREPARE(splitk_tiles_prepare);
PREPARE(splitk_atomic_prepare);
PREPARE(splitk_ordered_prepare);
PREPARE(splitk_cluster_prepare);
PREPARE(splitk_streamk_prepare);
PREPARE(splitk_swap_prepare);
PREPARE(splitk_fitted_prepare);
PREPARE(splitk_overlap_prepare);
SCRATCH(splitk_atomic_scratch);
SCRATCH(splitk_ordered_scratch);
SCRATCH(splitk_streamk_scratch);
RELEASE(splitk_release);
/* The library's product is that of gemv: same buffers, same numbers. */
LAUNCHER(gemv_cublas);
PREPARE(gemv_cublas_prepare);
SCRATCH(gemv_cublas_scratch);
CHOSEN(gemv_cublas_chosen);
RELEASE(gemv_cublas_release);
const char *cublas_library(void) __attribute__((weak));

/* A step of the ladder; one that passes sums through scratch memory. */
#define STEP(name, words, what)                                          \
    {                                                                    \
        .id = #name, .title = words, .idea = what, .where = KERNEL_CUDA, \
        .file = "kernels/splitk/" #name ".cu",                           \
        .prepare = splitk_##name##_prepare, .launch = splitk_##name,     \
        .release = splitk_release,                                       \
    }
#define SUMMED(name, words, what)                                        \
    {                                                                    \
        .id = #name, .title = words, .idea = what, .where = KERNEL_CUDA, \
        .file = "kernels/splitk/" #name ".cu",                           \
        .scratch_bytes = splitk_##name##_scratch,                        \
        .prepare = splitk_##name##_prepare, .launch = splitk_##name,     \
        .release = splitk_release,                                       \
    }
static const struct kernel_variant variants[] = {
    STEP(tiles, "a block per tile",
         "Tiles of 64 tokens and 128 outputs on tensor cores: with few tokens "
         "most SMs have none."),
    SUMMED(atomic, "split along k, added in memory",
           "Several blocks do a tile, and the L2 adds up their sums; the last "
           "one rounds."),
    SUMMED(ordered, "split along k, added in order",
           "Each block leaves its sums in a place of its own, and the last one "
           "adds them up in the order of k."),
    STEP(cluster, "split along k, in a cluster",
         "The blocks of a tile read each other's shared memory: sums stay on "
         "chip."),
    SUMMED(streamk, "stream-K",
           "The steps of all tiles stand in a row, and each SM gets as many of "
           "them."),
    STEP(swap, "weights as rows",
         "A product's 64 rows are weights and its columns tokens, so that "
         "slots hold little else than weights."),
    STEP(fitted, "tiles by a model",
         "Of all tiles and splits those are taken that cost least by a model "
         "of the GPU."),
    STEP(overlap, "launch overlapped",
         "The weights are asked for while the kernel before is still "
         "finishing."),
    {
        .id = "cublas",
        .title = "cuBLAS",
        .idea = "The fastest of cublasGemmEx and of up to 32 proposals of "
                "cublasLt, found by trying once for all processes.",
        .where = KERNEL_CUDA,
        .role = KERNEL_PEER,
        .file = "kernels/gemv/cublas.cu",
        .scratch_bytes = gemv_cublas_scratch,
        .prepare = gemv_cublas_prepare,
        .launch = gemv_cublas,
        .release = gemv_cublas_release,
        .library = cublas_library,
        .chosen = gemv_cublas_chosen,
        .chooses = KERNEL_CHOOSES_ONCE,
    },
};

const struct kernel_family splitk_family = {
    .id = "splitk",
    .title = "Matrix product with few rows",
    .problem = "Multiply a few tokens with the weights of a layer: C[i][j] = "
               "sum over k of A[i][k] B[j][k], in bf16 with sums in f32. A "
               "tile of the result for each multiprocessor is more than there "
               "are, so the sum over k is split. The shapes are layers of "
               "Llama-3.1-8B and DeepSeek-V3 with 1 to 256 tokens; weights "
               "come from memory, not from a cache.",
    .metric = "bandwidth",
    .file = "kernels/splitk/family.c",
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

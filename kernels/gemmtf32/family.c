/*
 * kernels/gemmtf32/family.c - C[i][j] = Σ_k A[i][k] B[j][k], f32 in memory, on
 * tensor cores: as accurate as tf32, or as f32.
 *
 * tf32 has the exponent of f32 and 11 bits of precision. The tensor cores read
 * an f32 as one: they leave out its 13 low bits. With accuracy=tf32 a case asks
 * for no more than that. With accuracy=f32 its outputs may err as those of an
 * f32 product may; a kernel then splits each number into two of tf32.
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include <string.h>

#include "kernels/declare.h"
#include "kernels/kernel.h"
#include "kernels/product.h"
#include "kernels/triton_product.h"

enum { A, B, C }; /* buffer numbers */

static size_t terms(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "k");
}

static bool as_f32(const struct kernel_case *c)
{
    return strcmp(kernel_word(c, "accuracy"), "f32") == 0;
}

static bool as_tf32(const struct kernel_case *c)
{
    return !as_f32(c);
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

/* A multiplication and an addition for each output and each k, however many
 * products of tf32 a kernel makes of them; operands and outputs cross the bus
 * once. */
static void model(const struct kernel_case *c, struct kernel_model *mod)
{
    const int64_t m = kernel_num(c, "m"), n = kernel_num(c, "n");
    const int64_t k = kernel_num(c, "k");

    mod->flop = 2 * m * n * k;
    mod->bytes_read = 4 * (m * k + n * k);
    mod->bytes_written = 4 * m * n;
    mod->formula = "2 m n k FLOP; 4 B read per element of A and B, 4 B written "
                   "per element of C";
    mod->unit = "tf32";
    mod->level = "hbm";
}

/*
 * The grid's integers have 8 bits, so tf32 holds them exactly, and what a split
 * leaves over is zero. Tensor cores keep f32 sums of their products in all
 * types but FP8; one bit is left to the alignment of terms.
 */
bool gemmtf32_product(const struct kernel_case *c, struct kernel_product *p)
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

enum {
    STEP_OF_MMA = 4, /* products that a tensor core adds up at once, at least */
    TIMES = 3,       /* products of tf32 for one of f32 */
};

static const double ROUNDING = 0x1p-24; /* to f32, which has 24 bits */
static const double CUT = 0x1p-9;       /* both operands to tf32: 2 x 2^-10 */
static const double LEFT = 0x1p-21;     /* of a product, when both are split */

/* What tolerance() says, as shares of S and M in kernels/product.h. */
static struct product_error error_of(const struct kernel_case *c)
{
    const size_t k = terms(c), times = as_f32(c) ? TIMES : 1;
    const struct product_error e = {
        .sizes = product_rounds(k, 24) / ROUNDING,
        .most = ((as_f32(c) ? LEFT : CUT) +
                 product_cuts(times * k, times * k, STEP_OF_MMA, 22)) /
                ROUNDING};

    return e;
}

/* The magnitude that tolerance() refers to. */
static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t count, double *value,
                   double *magnitude)
{
    struct kernel_buffer b[KERNEL_MAX_BUFFERS];
    struct kernel_product p;

    buffers(c, b);
    gemmtf32_product(c, &p);
    product_expect(&p, b, seed, error_of(c), idx, count, value, magnitude);
}

/*
 * An f32 has 24 bits, and tf32 keeps 11. To cut off the others changes an
 * operand by less than 2^-10 of itself, and a product by less than 2^-9. What a
 * term loses has the term's sign, and terms have either sign. So the losses add
 * up like the terms, to at most 2^-9 M.
 *
 * A number that is split into two of tf32 keeps 22 bits, or more if the first
 * is rounded. The product of the two small parts, 2^-20 of a term, is left out.
 * The other three are there, and lose what is below 2^-22 of their operands:
 * all in all less than 2^-21 M.
 *
 * On CUDA cores additions round to f32. Tensor cores cut off what lies below
 * 2^-22 of the largest in a step, of at least four products in tf32 (Fasi,
 * Higham, Mikaitis and Pranesh, PeerJ Comput. Sci. 7:e330, 2021, for the A100).
 * kernels/product.h has both bounds.
 */
static double tolerance(const struct kernel_case *c, const char **why)
{
    *why = as_f32(c) ? "2^-24 of |C| and sqrt(k) 2^-24 of the sum of |a b| for "
                       "additions in f32, 2^-22 of the largest running sum for "
                       "each 4 products on tensor cores, three of them for "
                       "each of f32, and 2^-21 of that sum for split operands"
                     : "2^-9 of the largest running sum for operands cut to "
                       "tf32, 2^-22 of it for each 4 products on tensor cores, "
                       "and 2^-24 of |C| and sqrt(k) 2^-24 of the sum of |a b| "
                       "for additions in f32";
    return ROUNDING;
}

#define ONE(word, accuracy, m, n, k, use) \
    {                                     \
        {{"layer", 0, word},              \
         {"m", m, NULL},                  \
         {"n", n, NULL},                  \
         {"k", k, NULL},                  \
         {"accuracy", 0, accuracy}},      \
            5, KERNEL_F32, use            \
    }
#define EACH(word, m, n, k, use) \
    ONE(word, "tf32", m, n, k, use), ONE(word, "f32", m, n, k, use)
#define CHECK(m, n, k) EACH("check", m, n, k, KERNEL_CHECK)
#define BOTH KERNEL_MEASURE_CUDA | KERNEL_COLD | KERNEL_FULL | KERNEL_STEADY

static const struct kernel_case cases[] = {
    /* tiny; rows that start at odd addresses; one tile, and one row more; more
       tiles than multiprocessors, ragged in every direction */
    CHECK(1, 1, 1),
    CHECK(3, 5, 7),
    CHECK(17, 33, 40),
    CHECK(64, 64, 64),
    CHECK(128, 256, 64),
    CHECK(129, 257, 36),
    CHECK(129, 264, 72),
    CHECK(255, 130, 1000),
    CHECK(256, 128, 4096),
    CHECK(300, 520, 133),
    CHECK(1000, 1000, 1000),
    CHECK(2111, 3208, 264),
    CHECK(2111, 3201, 262),
    CHECK(4104, 1800, 520),
    EACH("square", 4096, 4096, 4096, BOTH),
    EACH("square", 8192, 8192, 8192, BOTH),
    /* A linear layer of Llama-3.1-8B with 4096 tokens of a prompt: m tokens, n
       outputs, k inputs. */
    ONE("gate_up", "tf32", 4096, 28672, 4096, BOTH),
};

/* What a tensor map describes: rows are multiples of 16 bytes. */
static bool as_tf32_by_maps(const struct kernel_case *c)
{
    return as_tf32(c) && kernel_num(c, "n") % 4 == 0 &&
           kernel_num(c, "k") % 4 == 0;
}

LAUNCHER(gemmtf32_mma);
LAUNCHER(gemmtf32_wgmma);
LAUNCHER(gemmtf32_wide);
LAUNCHER(gemmtf32_resident);
LAUNCHER(gemmtf32_store);
LAUNCHER(gemmtf32_mma3);
LAUNCHER(gemmtf32_triple);
LAUNCHER(gemmtf32_parts);
PREPARE(gemmtf32_wgmma_prepare);
PREPARE(gemmtf32_wide_prepare);
PREPARE(gemmtf32_resident_prepare);
PREPARE(gemmtf32_store_prepare);
PREPARE(gemmtf32_triple_prepare);
PREPARE(gemmtf32_parts_prepare);
RELEASE(gemmtf32_maps_release);
PREPARE(gemm32_cublas_prepare);
PREPARE(gemmtf32_cublas_prepare);
/* Once it is prepared, the library's product is as that of gemv. */
LAUNCHER(gemv_cublas);
SCRATCH(gemv_cublas_scratch);
CHOSEN(gemv_cublas_chosen);
RELEASE(gemv_cublas_release);
const char *cublas_library(void) __attribute__((weak));

TRITON_PRODUCT(gemmtf32)

/* A step of the ladder; from wgmma on with tensor maps. */
#define STEP(name, words, what, cases_of)                                \
    {                                                                    \
        .id = #name, .title = words, .idea = what, .where = KERNEL_CUDA, \
        .file = "kernels/gemmtf32/" #name ".cu", .supports = cases_of,   \
        .launch = gemmtf32_##name,                                       \
    }
#define MAPPED(name, words, what, cases_of)                              \
    {                                                                    \
        .id = #name, .title = words, .idea = what, .where = KERNEL_CUDA, \
        .file = "kernels/gemmtf32/" #name ".cu", .supports = cases_of,   \
        .prepare = gemmtf32_##name##_prepare, .launch = gemmtf32_##name, \
        .release = gemmtf32_maps_release,                                \
    }
#define CUBLAS(name, words, what, how, cases_of)                               \
    {                                                                          \
        .id = name, .title = words, .idea = what, .where = KERNEL_CUDA,        \
        .role = KERNEL_PEER, .file = "kernels/gemm32/cublas.cu",               \
        .supports = cases_of, .scratch_bytes = gemv_cublas_scratch,            \
        .prepare = how, .launch = gemv_cublas, .release = gemv_cublas_release, \
        .library = cublas_library, .chosen = gemv_cublas_chosen,               \
        .chooses = KERNEL_CHOOSES_ONCE,                                        \
    }

static const struct kernel_variant variants[] = {
    STEP(mma, "tensor cores by warp",
         "mma.sync does 1024 multiply-adds with one instruction, and reads f32 "
         "as tf32.",
         as_tf32),
    MAPPED(wgmma, "wgmma, fed by the TMA",
           "Four warps together multiply straight from shared memory, and one "
           "thread brings whole tiles.",
           as_tf32),
    MAPPED(wide, "128 x 256, and warps that only load",
           "The frame of gemm16/wide: slots handed over by mbarriers, and "
           "registers moved to those that multiply.",
           as_tf32),
    MAPPED(resident, "pairs that stay and share B",
           "A block for each SM, in pairs that get B together: the frame of "
           "gemm16/cluster.",
           as_tf32),
    MAPPED(store, "sums leave through the TMA",
           "Sums go to shared memory, and the TMA writes panels of 32 columns "
           "while the next products run.",
           as_tf32),
    STEP(mma3, "3xTF32 by warp",
         "A number is the sum of two of tf32, so three products of tf32 make "
         "one of f32.",
         as_f32),
    MAPPED(triple, "3xTF32 with wgmma",
           "A is split in registers, and three warps put what tf32 leaves over "
           "of B beside it.",
           as_f32),
    MAPPED(parts, "sums in f32",
           "Every 32 of k the tensor cores begin anew, and CUDA cores add up "
           "their parts with rounding.",
           as_f32),
    CUBLAS("cublas", "cuBLAS, tf32",
           "The fastest of cublasGemmEx and of up to 32 proposals of cublasLt, "
           "in tf32, found by trying once for all processes.",
           gemmtf32_cublas_prepare, as_tf32),
    CUBLAS("cublas_f32", "cuBLAS, f32",
           "The same in pedantic f32, on CUDA cores.", gemm32_cublas_prepare,
           as_f32),
    TRITON_PRODUCT_ROW(gemmtf32, as_tf32_by_maps,
                       "The kernel of gemm16/triton on f32 that is read as "
                       "tf32: the best of four tiles, found by trying once for "
                       "all processes."),
};

const struct kernel_family gemmtf32_family = {
    .id = "gemmtf32",
    .title = "Matrix product, tf32",
    .problem = "Multiply two matrices of f32 on tensor cores: C[i][j] = sum "
               "over k of A[i][k] B[j][k]. Tensor cores read f32 as tf32, with "
               "11 bits of precision; three products of tf32 make one that is "
               "as accurate as f32. Both operands run along k, as activations "
               "and weights of a linear layer do.",
    .metric = "throughput",
    .file = "kernels/gemmtf32/family.c",
    .cases = cases,
    .ncases = sizeof cases / sizeof cases[0],
    .variants = variants,
    .nvariants = sizeof variants / sizeof variants[0],
    .buffers = buffers,
    .model = model,
    .expect = expect,
    .terms = terms,
    .tolerance = tolerance,
    .finite_only = "a split number has no infinities: what is left over of one "
                   "is infinity minus infinity",
};

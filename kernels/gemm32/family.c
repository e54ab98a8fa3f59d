/*
 * kernels/gemm32/family.c - C[i][j] = Σ_k A[i][k] B[j][k] in f32, on CUDA
 * cores: a matrix product whose inputs may not lose a bit.
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include "kernels/declare.h"
#include "kernels/kernel.h"
#include "kernels/product.h"
#include "kernels/triton_product.h"

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
    mod->bytes_read = 4 * (m * k + n * k);
    mod->bytes_written = 4 * m * n;
    mod->formula = "2 m n k FLOP; 4 B read per element of A and B, 4 B written "
                   "per element of C";
    mod->unit = "fp32";
    mod->level = "hbm";
}

/* An FMA in f32 keeps all 24 bits of a sum, so a running sum of n units is
 * exact up to 2^24. */
bool gemm32_product(const struct kernel_case *c, struct kernel_product *p)
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
                                 .sum_bits = 24};
    return true;
}

static const double ROUNDING = 0x1p-24; /* to f32, which has 24 bits */

/* The magnitude that tolerance() refers to. */
static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t count, double *value,
                   double *magnitude)
{
    const struct product_error e = {
        .sizes = product_rounds(terms(c), 24) / ROUNDING, .most = 0};
    struct kernel_buffer b[KERNEL_MAX_BUFFERS];
    struct kernel_product p;

    buffers(c, b);
    gemm32_product(c, &p);
    product_expect(&p, b, seed, e, idx, count, value, magnitude);
}

/*
 * Each FMA rounds once, to f32. kernels/product.h has the bound for k of them,
 * in any order; one rounding of |C| more allows for a sum that is put together
 * from parts.
 */
static double tolerance(const struct kernel_case *c, const char **why)
{
    (void)c;
    *why = "sqrt(k) 2^-24 of the sum of |a b| for additions in f32, and 2^-24 "
           "of |C|";
    return ROUNDING;
}

#define ONE(word, m, n, k, use)                                               \
    {                                                                         \
        {{"layer", 0, word}, {"m", m, NULL}, {"n", n, NULL}, {"k", k, NULL}}, \
            4, KERNEL_F32, use                                                \
    }
#define CHECK(m, n, k) ONE("check", m, n, k, KERNEL_CHECK)
#define BURST KERNEL_MEASURE_CUDA | KERNEL_COLD | KERNEL_FULL
#define BOTH BURST | KERNEL_STEADY

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
    ONE("square", 2048, 2048, 2048, BURST),
    ONE("square", 4096, 4096, 4096, BOTH),
    ONE("square", 8192, 8192, 8192, BOTH),
    /* A linear layer of Llama-3.1-8B with 4096 tokens of a prompt: m tokens, n
       outputs, k inputs. */
    ONE("gate_up", 4096, 28672, 4096, BOTH),
};

/* The first steps take half a minute for the largest. */
static bool of_4096(const struct kernel_case *c)
{
    return (c->use & KERNEL_CHECK) ||
           (kernel_num(c, "m") * kernel_num(c, "n") <= (int64_t)4096 * 4096 &&
            kernel_num(c, "k") <= 4096);
}

/* What a tensor map describes: rows are multiples of 16 bytes. */
static bool of_maps(const struct kernel_case *c)
{
    return kernel_num(c, "n") % 4 == 0 && kernel_num(c, "k") % 4 == 0;
}

LAUNCHER(gemm32_naive);
LAUNCHER(gemm32_coalesced);
LAUNCHER(gemm32_tile);
LAUNCHER(gemm32_column);
LAUNCHER(gemm32_square);
LAUNCHER(gemm32_vectors);
LAUNCHER(gemm32_warps);
LAUNCHER(gemm32_stages);
LAUNCHER(gemm32_bulk);
LAUNCHER(gemm32_wide);
PREPARE(gemm32_bulk_prepare);
PREPARE(gemm32_wide_prepare);
RELEASE(gemm32_maps_release);
PREPARE(gemm32_cublas_prepare);
/* Once it is prepared, the library's product is as that of gemv. */
LAUNCHER(gemv_cublas);
SCRATCH(gemv_cublas_scratch);
CHOSEN(gemv_cublas_chosen);
RELEASE(gemv_cublas_release);
const char *cublas_library(void) __attribute__((weak));

TRITON_PRODUCT(gemm32)

/* A step of the ladder; from bulk on with tensor maps. */
#define STEP(name, words, what, cases_of)                                \
    {                                                                    \
        .id = #name, .title = words, .idea = what, .where = KERNEL_CUDA, \
        .file = "kernels/gemm32/" #name ".cu", .supports = cases_of,     \
        .launch = gemm32_##name,                                         \
    }
#define MAPPED(name, words, what)                                        \
    {                                                                    \
        .id = #name, .title = words, .idea = what, .where = KERNEL_CUDA, \
        .file = "kernels/gemm32/" #name ".cu",                           \
        .prepare = gemm32_##name##_prepare, .launch = gemm32_##name,     \
        .release = gemm32_maps_release,                                  \
    }

static const struct kernel_variant variants[] = {
    STEP(naive, "a thread per output",
         "The triple loop: two of its loops become threads.", of_4096),
    STEP(coalesced, "lanes along k",
         "A warp takes one output, and each of its loads is one cache line.",
         of_4096),
    STEP(tile, "tiles in shared memory",
         "A block shares what it loads: each element from the L2 is used 32 "
         "times.",
         of_4096),
    STEP(column, "8 x 1 outputs a thread",
         "A number of B, once loaded, serves eight rows of A.", of_4096),
    STEP(square, "8 x 8 outputs a thread",
         "Sixteen loads from shared memory feed 64 multiply-adds.", NULL),
    STEP(vectors, "16 bytes a load",
         "Four loads bring the sixteen numbers, and global memory is read in "
         "16 bytes, too.",
         NULL),
    STEP(warps, "warps with compact outputs",
         "A warp of 4 x 8 threads reads two thirds of what one of 2 x 16 does.",
         NULL),
    STEP(stages, "tiles as they lie in memory, copied ahead",
         "A thread takes four steps of k of each row at once, so cp.async can "
         "bring rows as they are.",
         NULL),
    MAPPED(bulk, "tiles by the TMA",
           "One thread asks for whole tiles, and the others only multiply."),
    MAPPED(wide, "8 x 16 outputs a thread",
           "Fewer loads for each multiply-add, numbers loaded ahead across "
           "slots, and no barrier of the block."),
    {
        .id = "cublas",
        .title = "cuBLAS",
        .idea = "The fastest of cublasGemmEx and of up to 32 proposals of "
                "cublasLt, in pedantic f32, found by trying once for all "
                "processes.",
        .where = KERNEL_CUDA,
        .role = KERNEL_PEER,
        .file = "kernels/gemm32/cublas.cu",
        .scratch_bytes = gemv_cublas_scratch,
        .prepare = gemm32_cublas_prepare,
        .launch = gemv_cublas,
        .release = gemv_cublas_release,
        .library = cublas_library,
        .chosen = gemv_cublas_chosen,
        .chooses = KERNEL_CHOOSES_ONCE,
    },
    TRITON_PRODUCT_ROW(gemm32, of_maps,
                       "The kernel of gemm16/triton on f32, on CUDA cores: the "
                       "best of four tiles, found by trying once for all "
                       "processes."),
};

const struct kernel_family gemm32_family = {
    .id = "gemm32",
    .title = "Matrix product, f32",
    .problem = "Multiply two matrices: C[i][j] = sum over k of A[i][k] "
               "B[j][k], in f32 on CUDA cores. Both operands run along k, as "
               "activations and weights of a linear layer do. The shapes are "
               "squares, and the gate and up projection of Llama-3.1-8B for "
               "4096 tokens of a prompt.",
    .metric = "throughput",
    .file = "kernels/gemm32/family.c",
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

/*
 * kernels/gemm16/family.c - C[i][j] = Σ_k A[i][k] B[j][k] in bf16: a matrix
 * product, as a linear layer of a language model has it when it reads a prompt
 * or is trained.
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include "kernels/declare.h"
#include "kernels/kernel.h"
#include "kernels/product.h"
#include "kernels/torch_product.h"
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
    mod->bytes_read = 2 * (m * k + n * k);
    mod->bytes_written = 2 * m * n;
    mod->formula = "2 m n k FLOP; 2 B read per element of A and B, 2 B written "
                   "per element of C";
    mod->unit = "bf16";
    mod->level = "hbm";
}

bool gemm16_product(const struct kernel_case *c, struct kernel_product *p)
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
    gemm16_product(c, &p);
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
    CHECK(129, 257, 72),
    CHECK(129, 264, 72),
    CHECK(255, 130, 1000),
    CHECK(256, 128, 4096),
    CHECK(300, 520, 136),
    CHECK(1000, 1000, 1000),
    CHECK(2111, 3208, 264),
    CHECK(2111, 3201, 264),
    CHECK(4104, 1800, 520),
    ONE("square", 1024, 1024, 1024, BURST),
    ONE("square", 2048, 2048, 2048, BURST),
    ONE("square", 4096, 4096, 4096, BOTH),
    ONE("square", 8192, 8192, 8192, BOTH),
    /* The linear layers of Llama-3.1-8B with 4096 tokens of a prompt: m tokens,
       n outputs, k inputs. */
    ONE("qkv", 4096, 6144, 4096, BOTH),
    ONE("gate_up", 4096, 28672, 4096, BOTH),
    ONE("down", 4096, 4096, 14336, BOTH),
    /* DeepSeek-V3: the output projection of attention, and that of queries. */
    ONE("v3_o", 4096, 7168, 16384, BOTH),
    ONE("v3_q", 4096, 24576, 1536, BOTH),
    /* Llama-3.1-70B. Its output projection is half of the largest square. */
    ONE("l70b_qkv", 4096, 10240, 8192, BOTH),
    ONE("l70b_gate_up", 4096, 57344, 8192, BOTH),
    ONE("l70b_down", 4096, 8192, 28672, BOTH),
};

/* CUDA cores take seconds for the largest. */
static bool of_4096(const struct kernel_case *c)
{
    return (c->use & KERNEL_CHECK) ||
           (kernel_num(c, "m") * kernel_num(c, "n") <= (int64_t)4096 * 4096 &&
            kernel_num(c, "k") <= 4096);
}

/* What a tensor map describes: rows are multiples of 16 bytes. */
static bool of_maps(const struct kernel_case *c)
{
    return kernel_num(c, "n") % 8 == 0 && kernel_num(c, "k") % 8 == 0;
}

/* torch.compile tries dozens of kernels for each shape, so few of them: a
 * ragged one, the large squares and the layers of Llama's feed-forward part. */
static bool of_compiler(const struct kernel_case *c)
{
    const int64_t m = kernel_num(c, "m"), n = kernel_num(c, "n");

    if (c->use & KERNEL_CHECK)
        return m == 4104;
    return n == m ? n >= 4096 : n == 28672;
}

LAUNCHER(gemm16_naive);
LAUNCHER(gemm16_tile);
LAUNCHER(gemm16_registers);
LAUNCHER(gemm16_mma);
LAUNCHER(gemm16_stages);
LAUNCHER(gemm16_wgmma);
LAUNCHER(gemm16_ring);
LAUNCHER(gemm16_roles);
LAUNCHER(gemm16_wide);
LAUNCHER(gemm16_persistent);
LAUNCHER(gemm16_order);
LAUNCHER(gemm16_cluster);
LAUNCHER(gemm16_store);
LAUNCHER(gemm16_late);
LAUNCHER(gemm16_direct);
LAUNCHER(gemm16_tall);
LAUNCHER(gemm16_split);
LAUNCHER(gemm16_four);
LAUNCHER(gemm16_back);
PREPARE(gemm16_wgmma_prepare);
PREPARE(gemm16_ring_prepare);
PREPARE(gemm16_roles_prepare);
PREPARE(gemm16_wide_prepare);
PREPARE(gemm16_persistent_prepare);
PREPARE(gemm16_order_prepare);
PREPARE(gemm16_cluster_prepare);
PREPARE(gemm16_store_prepare);
PREPARE(gemm16_late_prepare);
PREPARE(gemm16_direct_prepare);
PREPARE(gemm16_tall_prepare);
PREPARE(gemm16_split_prepare);
PREPARE(gemm16_four_prepare);
PREPARE(gemm16_back_prepare);
SCRATCH(gemm16_split_scratch);
RELEASE(gemm16_maps_release);
/* The library's product is that of gemv: same buffers, same numbers. */
LAUNCHER(gemv_cublas);
PREPARE(gemv_cublas_prepare);
SCRATCH(gemv_cublas_scratch);
CHOSEN(gemv_cublas_chosen);
RELEASE(gemv_cublas_release);
const char *cublas_library(void) __attribute__((weak));

TORCH_PRODUCT(gemm16_torch_max, "gemm16 tuned")
TRITON_PRODUCT(gemm16)

/* A step of the ladder; from wgmma on with tensor maps. */
#define STEP(name, words, what, cases_of)                                \
    {                                                                    \
        .id = #name, .title = words, .idea = what, .where = KERNEL_CUDA, \
        .file = "kernels/gemm16/" #name ".cu", .supports = cases_of,     \
        .launch = gemm16_##name,                                         \
    }
#define MAPPED(name, words, what)                                        \
    {                                                                    \
        .id = #name, .title = words, .idea = what, .where = KERNEL_CUDA, \
        .file = "kernels/gemm16/" #name ".cu",                           \
        .prepare = gemm16_##name##_prepare, .launch = gemm16_##name,     \
        .release = gemm16_maps_release,                                  \
    }
#define CUBLAS(name, words, what, when)                                       \
    {                                                                         \
        .id = name, .title = words, .idea = what, .where = KERNEL_CUDA,       \
        .role = KERNEL_PEER, .file = "kernels/gemv/cublas.cu",                \
        .scratch_bytes = gemv_cublas_scratch, .prepare = gemv_cublas_prepare, \
        .launch = gemv_cublas, .release = gemv_cublas_release,                \
        .library = cublas_library, .chosen = gemv_cublas_chosen,              \
        .chooses = when,                                                      \
    }

static const struct kernel_variant variants[] = {
    STEP(naive, "a thread per output",
         "The triple loop: two of its loops become threads.", of_4096),
    STEP(tile, "tiles in shared memory",
         "A block shares what it loads: each element from the L2 is used 32 "
         "times.",
         of_4096),
    STEP(registers, "8 x 8 outputs a thread",
         "Sixteen loads from shared memory feed 64 multiply-adds.", of_4096),
    STEP(mma, "tensor cores by warp",
         "mma.sync does 2048 multiply-adds with one instruction, and numbers "
         "stay bf16 up to there.",
         NULL),
    STEP(stages, "copies ahead",
         "cp.async brings the next tiles while this one is multiplied.", NULL),
    MAPPED(wgmma, "wgmma, fed by the TMA",
           "Four warps together multiply straight from shared memory, and one "
           "thread brings whole tiles."),
    MAPPED(ring, "a ring of slots",
           "Tiles are asked for two steps before they are multiplied."),
    MAPPED(roles, "a warp that only loads",
           "Nobody meets at a barrier any more: slots are handed over by "
           "mbarriers."),
    MAPPED(wide, "128 x 256, registers moved",
           "Tiles twice as wide move fewer bytes; the loading warps give their "
           "registers to those that multiply."),
    MAPPED(persistent, "a block for each SM",
           "Blocks go on from tile to tile, and load while they store."),
    MAPPED(order, "tiles in compact fields",
           "Tiles that run at the same time lie close together and share "
           "their rows in the L2."),
    MAPPED(cluster, "pairs share B",
           "Two blocks of a cluster ask for half of B each, and the TMA "
           "delivers it to both."),
    MAPPED(store, "sums leave through the TMA",
           "stmatrix puts sums into shared memory, and the TMA writes whole "
           "panels."),
    MAPPED(late, "sums leave during the next products",
           "Sums are rounded at once, and sent away while the tensor cores do "
           "the next tile."),
    MAPPED(direct, "sums go straight to memory",
           "Four lanes exchange outputs until each has eight columns side by "
           "side, and need no shared memory to store them."),
    MAPPED(tall, "256 x 128",
           "A warp group has two products of 128 columns in place of one of "
           "256."),
    MAPPED(back, "every other tile backwards",
           "The next tile begins with the end of k, whose rows of A have just "
           "come to the L2."),
    MAPPED(four, "fours share B",
           "Clusters of four blocks ask for a quarter of B each; 128 SMs take "
           "as many rounds as 132."),
    {
        .id = "split",
        .title = "the last rounds cut along k",
        .idea = "The steps of the last tiles are dealt out evenly, and half a "
                "tile's sums come by way of memory.",
        .where = KERNEL_CUDA,
        .file = "kernels/gemm16/split.cu",
        .scratch_bytes = gemm16_split_scratch,
        .prepare = gemm16_split_prepare,
        .launch = gemm16_split,
        .release = gemm16_maps_release,
    },
    CUBLAS("cublas", "cuBLAS",
           "The fastest of cublasGemmEx and of up to 32 proposals of cublasLt, "
           "found by trying once for all processes.",
           KERNEL_CHOOSES_ONCE),
    CUBLAS("cublas_auto", "cuBLAS, chosen in each process",
           "The same search, as a program does it that tries at every start: "
           "each process may choose another algorithm.",
           KERNEL_CHOOSES_ANEW),
    TORCH_TUNED_ROW(gemm16_torch_max, of_compiler,
                    "The fastest of the compiler's own kernels in Triton and "
                    "of cuBLAS as PyTorch calls it, found by trying once for "
                    "all processes."),
    TRITON_PRODUCT_ROW(gemm16, of_maps,
                       "What its user writes: a program for each SM, panels "
                       "by the TMA, wgmma; the best of five tiles, found by "
                       "trying once for all processes."),
};

const struct kernel_family gemm16_family = {
    .id = "gemm16",
    .title = "Matrix product, bf16",
    .problem = "Multiply two matrices: C[i][j] = sum over k of A[i][k] "
               "B[j][k], in bf16 with sums in f32. Both operands run along k, "
               "as activations and weights of a linear layer do. The shapes "
               "are squares, and layers of Llama-3.1-8B and DeepSeek-V3 that "
               "read 4096 tokens of a prompt.",
    .metric = "throughput",
    .file = "kernels/gemm16/family.c",
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

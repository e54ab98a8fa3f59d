/*
 * kernels/gemv/family.c - y[m][n] = Σ_k x[m][k] W[n][k]: a linear layer of
 * a language model that decodes m tokens at a time.
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include "kernels/declare.h"
#include "kernels/knob.h"
#include "kernels/kernel.h"
#include "kernels/product.h"

#include <string.h>

enum { X, W, Y }; /* buffer numbers */

static size_t tokens(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "m");
}

static size_t outputs(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "n");
}

static size_t terms(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "k");
}

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    const size_t m = tokens(c), n = outputs(c), k = terms(c);

    b[X] = kernel_in("x", c->dtype, m * k);
    b[W] = kernel_in("w", c->dtype, n * k);
    b[Y] = kernel_out("y", c->dtype, m * n);
    return 3;
}

/* A multiplication and an addition for each weight and token; weights,
 * activations and outputs cross the bus once. */
static void model(const struct kernel_case *c, struct kernel_model *mod)
{
    const int64_t m = (int64_t)tokens(c), n = (int64_t)outputs(c);
    const int64_t k = (int64_t)terms(c);

    mod->flop = 2 * m * n * k;
    mod->bytes_read = 2 * (n * k + m * k);
    mod->bytes_written = 2 * m * n;
    mod->formula = "2 FLOP per weight and token; 2 B read per weight and "
                   "activation, 2 B written per output";
    mod->unit = "bf16";
    mod->level = "hbm";
}

bool gemv_product(const struct kernel_case *c, struct kernel_product *p)
{
    const size_t m = tokens(c), n = outputs(c), k = terms(c);

    *p = (struct kernel_product){.a = product_rows(X, m, k),
                                 .b = product_rows(W, n, k),
                                 .out = product_rows(Y, m, n),
                                 .count = 1,
                                 .rows = m,
                                 .cols = n,
                                 .depth = k,
                                 .times = 1,
                                 .sum_bits = 23};
    return true;
}

static const double ROUNDING = 0x1p-8; /* to bf16, which has 8 bits */

/* The magnitude that tolerance() refers to. */
static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t count, double *value,
                   double *magnitude)
{
    const struct product_error e = {.sizes = product_rounds(terms(c), 24) /
                                             ROUNDING};
    struct kernel_buffer b[KERNEL_MAX_BUFFERS];
    struct kernel_product p;

    buffers(c, b);
    gemv_product(c, &p);
    product_expect(&p, b, seed, e, idx, count, value, magnitude);
}

/*
 * Two things are rounded. The result is rounded to bf16, which has 8 bits: an
 * error of 2^-8 |y|. The sum of k products in f32, in any order, errs by at
 * most k 2^-24 Σ|x w|. As roundings go up as often as down, it errs by about
 * √k 2^-24 Σ|x w| (Higham and Mary, SIAM J. Sci. Comput. 41(5), 2019, doi
 * 10.1137/18M1226312). Together that is 2^-8 (|y| + √k 2^-16 Σ|x w|); the
 * bracket is the magnitude of expect(). Full inputs have the same bound: it
 * asks nothing of them but that a product is exact in f32, and 8 bits times 8
 * bits are.
 *
 * A product is 1/4 on average. With k = 4096, Σ|x w| is then 2^10, and the
 * second part allows an error of 2^-8. So one missing product does not pass.
 */
static double tolerance(const struct kernel_case *c, const char **why)
{
    (void)c;
    *why = "2^-8 of |y| for the rounding to bf16, and sqrt(k) 2^-24 of the "
           "sum of |x w| for k additions in f32";
    return ROUNDING;
}

#define ONE(word, n, k, m, use)                                               \
    {                                                                         \
        {{"layer", 0, word}, {"n", n, NULL}, {"k", k, NULL}, {"m", m, NULL}}, \
            4, KERNEL_BF16, use                                               \
    }
#define CHECK(n, k, m) ONE("check", n, k, m, KERNEL_CHECK)
#define COLD KERNEL_MEASURE_CUDA | KERNEL_COLD
#define ON_CPU KERNEL_CHECK | KERNEL_MEASURE_CPU | KERNEL_COLD

/* The linear layers of Llama-3.1-8B: outputs and inputs of each. */
#define QKV(m) ONE("qkv", 6144, 4096, m, COLD)
#define O(m) ONE("o", 4096, 4096, m, COLD)
#define GATE_UP(m) ONE("gate_up", 28672, 4096, m, COLD)
#define DOWN(m) ONE("down", 4096, 14336, m, COLD)
#define LM_HEAD(m) ONE("lm_head", 128256, 4096, m, COLD)
#define FOUR(layer) layer(1), layer(8), layer(64), layer(256)

static const struct kernel_case cases[] = {
    /* tiny; rows that start at odd addresses; ragged in every direction */
    CHECK(1, 1, 1),
    CHECK(1, 8, 1),
    CHECK(3, 40, 1),
    CHECK(17, 1023, 1),
    CHECK(33, 4104, 1),
    CHECK(127, 2056, 1),
    CHECK(9, 14344, 1),
    CHECK(33, 4104, 2),
    CHECK(17, 1023, 2),
    CHECK(9, 14344, 2),
    CHECK(129, 520, 3),
    CHECK(15, 77, 5),
    CHECK(1001, 4096, 7),
    CHECK(33, 4104, 8),
    CHECK(8, 64, 8),
    CHECK(257, 264, 16),
    CHECK(100, 1000, 65),
    ONE("small", 4096, 1024, 1, ON_CPU),
    ONE("small", 1024, 1024, 8, ON_CPU),
    GATE_UP(1),
    GATE_UP(2),
    GATE_UP(4),
    GATE_UP(8),
    GATE_UP(16),
    GATE_UP(32),
    GATE_UP(64),
    GATE_UP(128),
    GATE_UP(256),
    FOUR(QKV),
    FOUR(O),
    FOUR(DOWN),
    LM_HEAD(1),
    LM_HEAD(8),
    LM_HEAD(64),
    ONE("lm_head", 128256, 4096, 256, COLD | KERNEL_STEADY | KERNEL_FULL),
    /* a layer of a larger model, and a square that is all arithmetic */
    ONE("wide", 28672, 8192, 1, COLD),
    ONE("square", 8192, 8192, 8192, COLD | KERNEL_STEADY | KERNEL_FULL),
};

static bool is_square(const struct kernel_case *c)
{
    return strcmp(kernel_word(c, "layer"), "square") == 0;
}

/* The steps of the ladder multiply by one vector. */
static bool one_token(const struct kernel_case *c)
{
    return tokens(c) == 1;
}

static bool two_tokens(const struct kernel_case *c)
{
    return tokens(c) == 2;
}

static bool eight_tokens(const struct kernel_case *c)
{
    return tokens(c) <= 8;
}

/* An SM has room for the tokens, and the TMA can move them. */
static bool fits_resident(const struct kernel_case *c)
{
    return tokens(c) <= 8 && terms(c) <= 4096 && terms(c) % 8 == 0;
}

static bool decodes(const struct kernel_case *c)
{
    return !is_square(c);
}

/* One layer is enough to see what choosing in each process costs. */
static bool decodes_gate_up(const struct kernel_case *c)
{
    return (c->use & KERNEL_CHECK) ||
           strcmp(kernel_word(c, "layer"), "gate_up") == 0;
}

LAUNCHER(gemv_naive);
LAUNCHER(gemv_warp);
LAUNCHER(gemv_vector);
LAUNCHER(gemv_row);
LAUNCHER(gemv_overlap);
LAUNCHER(gemv_tokens);
PREPARE(gemv_tokens_prepare);
RELEASE(gemv_tokens_release);
LAUNCHER(gemv_resident);
SCRATCH(gemv_resident_scratch);
LAUNCHER(gemv_pair);
LAUNCHER(gemv_cublas);
PREPARE(gemv_cublas_prepare);
SCRATCH(gemv_cublas_scratch);
CHOSEN(gemv_cublas_chosen);
RELEASE(gemv_cublas_release);
const char *cublas_library(void) __attribute__((weak));
C_LAUNCHER(gemv_c_scalar);
C_LAUNCHER(gemv_c_simd);

static const struct kernel_variant variants[] = {
    {
        .id = "c_scalar",
        .title = "plain C loop",
        .idea = "Three nested loops and one running sum, on one CPU thread.",
        .where = KERNEL_CPU,
        .file = "kernels/gemv/c_scalar.c",
        .launch = gemv_c_scalar,
    },
    {
        .id = "c_simd",
        .title = "C, vectors and threads",
        .idea = "Eight running sums of four floats, and every core takes a "
                "share of the rows.",
        .where = KERNEL_CPU,
        .file = "kernels/gemv/c_simd.c",
        .launch = gemv_c_simd,
    },
    {
        .id = "naive",
        .title = "a thread per output",
        .idea = "Each thread walks along its own row of weights.",
        .where = KERNEL_CUDA,
        .file = "kernels/gemv/naive.cu",
        .supports = one_token,
        .launch = gemv_naive,
    },
    {
        .id = "warp",
        .title = "a warp per output",
        .idea = "The lanes of a warp stand side by side on one row, so that "
                "loads are coalesced.",
        .where = KERNEL_CUDA,
        .file = "kernels/gemv/warp.cu",
        .supports = one_token,
        .launch = gemv_warp,
    },
    {
        .id = "vector",
        .title = "16 bytes per load",
        .idea = "Each lane loads eight weights at once.",
        .where = KERNEL_CUDA,
        .file = "kernels/gemv/vector.cu",
        .supports = one_token,
        .launch = gemv_vector,
    },
    {
        .id = "row",
        .title = "the whole row in flight",
        .idea = "A warp asks for up to 8 KB of its row before it uses the "
                "first byte, and marks it as used once.",
        .where = KERNEL_CUDA,
        .file = "kernels/gemv/row.cu",
        .supports = one_token,
        .launch = gemv_row,
    },
    {
        .id = "overlap",
        .title = "launch overlapped",
        .idea = "The weights are asked for while the kernel before is still "
                "finishing.",
        .where = KERNEL_CUDA,
        .file = "kernels/gemv/overlap.cu",
        .supports = one_token,
        .launch = gemv_overlap,
    },
    {
        .id = "tokens",
        .title = "eight tokens on tensor cores",
        .idea = "Each weight, once loaded, is multiplied with up to eight "
                "tokens by one tensor-core instruction.",
        .where = KERNEL_CUDA,
        .file = "kernels/gemv/tokens.cu",
        .supports = eight_tokens,
        .prepare = gemv_tokens_prepare,
        .launch = gemv_tokens,
        .release = gemv_tokens_release,
    },
    {
        .id = "resident",
        .title = "tokens stay, rows arrive in long pieces",
        .idea = "The tokens stay in shared memory, and a block for each "
                "multiprocessor has rows of weights fetched 2 KB at a time.",
        .where = KERNEL_CUDA,
        .file = "kernels/gemv/resident.cu",
        .supports = fits_resident,
        .scratch_bytes = gemv_resident_scratch,
        .launch = gemv_resident,
    },
    {
        .id = "pair",
        .title = "two tokens from a row in flight",
        .idea = "For two tokens, back to whole rows on CUDA cores: each weight "
                "is multiplied twice while it is in a register.",
        .where = KERNEL_CUDA,
        .file = "kernels/gemv/pair.cu",
        .supports = two_tokens,
        .launch = gemv_pair,
    },
    {
        .id = "cublas",
        .title = "cuBLAS",
        .idea = "The fastest of cublasGemmEx and of up to 32 proposals of "
                "cublasLt, found by trying once for all processes.",
        .where = KERNEL_CUDA,
        .role = KERNEL_PEER,
        .file = "kernels/gemv/cublas.cu",
        .supports = decodes,
        .scratch_bytes = gemv_cublas_scratch,
        .prepare = gemv_cublas_prepare,
        .launch = gemv_cublas,
        .release = gemv_cublas_release,
        .library = cublas_library,
        .chosen = gemv_cublas_chosen,
        .chooses = KERNEL_CHOOSES_ONCE,
    },
    {
        .id = "cublas_auto",
        .title = "cuBLAS, chosen in each process",
        .idea = "The same search, as a program does it that tries at every "
                "start: each process may choose another algorithm.",
        .where = KERNEL_CUDA,
        .role = KERNEL_PEER,
        .file = "kernels/gemv/cublas.cu",
        .supports = decodes_gate_up,
        .scratch_bytes = gemv_cublas_scratch,
        .prepare = gemv_cublas_prepare,
        .launch = gemv_cublas,
        .release = gemv_cublas_release,
        .library = cublas_library,
        .chosen = gemv_cublas_chosen,
        .chooses = KERNEL_CHOOSES_ANEW,
    },
    {
        .id = "roof",
        .title = "cuBLAS, square",
        .idea = "The same library on a square product large enough that "
                "only arithmetic counts.",
        .where = KERNEL_CUDA,
        .role = KERNEL_CEILING,
        .file = "kernels/gemv/cublas.cu",
        .supports = is_square,
        .scratch_bytes = gemv_cublas_scratch,
        .prepare = gemv_cublas_prepare,
        .launch = gemv_cublas,
        .release = gemv_cublas_release,
        .library = cublas_library,
        .chosen = gemv_cublas_chosen,
        .chooses = KERNEL_CHOOSES_ONCE,
    },
};

LAUNCHER(gemv_resident_swept);
SCRATCH(gemv_resident_scratch_swept);

/* Rows may come in any order; kernels/knob.h says how to add one. */
const struct kernel_knob gemv_knobs[] = {
    {
        .variant = "resident",
        .name = "slots",
        .unit = "slots",
        .chosen = 6,
        .value = {2, 3, 4, 5, 6, 7, 8, 9},
        .file = "kernels/gemv/resident_slots.cu",
        .scratch_bytes = gemv_resident_scratch_swept,
        .launch = gemv_resident_swept,
    },
    {0},
};

const struct kernel_family gemv_family = {
    .id = "gemv",
    .title = "Decode linear layer",
    .problem = "Multiply the weights of a layer with the activations of a "
               "few tokens: y[m][n] = sum over k of x[m][k] W[n][k], in bf16 "
               "with sums in f32. With one token every weight is used once, "
               "so the layer takes as long as its weights take to arrive. "
               "The shapes are those of Llama-3.1-8B; weights come from "
               "memory, not from a cache, as they do when a model decodes.",
    .metric = "bandwidth",
    .file = "kernels/gemv/family.c",
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

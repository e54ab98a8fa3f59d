/*
 * kernels/elementwise/family.c - activation functions of a transformer over
 * a matrix: bias and GELU, SwiGLU, dropout.
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include "kernels/declare.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/input.h"
#include "kernels/torch.h"
#include "kernels/triton.h"

#include <math.h>
#include <string.h>

enum { Y, A, B }; /* buffer numbers */

static const char *const op_names[] = {
    [ELEMENTWISE_GELU] = "bias_gelu",
    [ELEMENTWISE_GELU_TANH] = "bias_gelu_tanh",
    [ELEMENTWISE_SWIGLU] = "swiglu",
    [ELEMENTWISE_DROPOUT] = "bias_gelu_dropout",
};

enum elementwise_op elementwise_op_of(const struct kernel_case *c)
{
    const char *word = kernel_word(c, "op");
    int op = ELEMENTWISE_GELU;

    while (op < ELEMENTWISE_DROPOUT && strcmp(word, op_names[op]) != 0)
        op++;
    return (enum elementwise_op)op;
}

static size_t columns(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "cols");
}

static size_t elements(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "rows") * columns(c);
}

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    const bool swiglu = elementwise_op_of(c) == ELEMENTWISE_SWIGLU;
    const size_t n = elements(c);

    b[Y] = kernel_out("y", KERNEL_BF16, n);
    b[A] = kernel_in(swiglu ? "gate" : "x", KERNEL_BF16, n);
    b[B] =
        kernel_in(swiglu ? "up" : "bias", KERNEL_BF16, swiglu ? n : columns(c));
    return 3;
}

/* The bytes of the fused form. Arithmetic is not counted: there is no agreed
 * number of operations for a GELU. */
static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const bool swiglu = elementwise_op_of(c) == ELEMENTWISE_SWIGLU;
    const int64_t n = (int64_t)elements(c), cols = (int64_t)columns(c);

    m->flop = 0;
    m->bytes_read = swiglu ? 4 * n : 2 * n + 2 * cols;
    m->bytes_written = 2 * n;
    m->formula = swiglu ? "gate and up once: 4 B read and 2 B written per "
                          "element"
                        : "2 B read and 2 B written per element, and the bias "
                          "once: 2 B per column";
    m->unit = NULL;
    m->level = "hbm";
}

/* A function at a point v: its value, and the slope v f'(v). A small relative
 * error of v, times this slope, is the error of the value. */
struct point {
    double value, slope;
};

static struct point gelu(double v)
{
    const double p = 0.5 * erfc(-v * sqrt(0.5));
    const double density = exp(-0.5 * v * v) * 0.3989422804014327;

    /* For infinite v, the products follow the rules of IEEE 754. */
    return (struct point){v * p, v * (p + v * density)};
}

static struct point gelu_tanh(double v)
{
    const double a = ELEMENTWISE_TANH, b = ELEMENTWISE_CUBE;
    const double t = tanh(a * (v + b * v * v * v));

    return (struct point){0.5 * v * (1 + t),
                          0.5 * v * (1 + t) + 0.5 * v * v * (1 - t * t) * a *
                                                  (1 + 3 * b * v * v)};
}

static void expect_swiglu(double gate, double up, double *value,
                          double *magnitude)
{
    *value = gate / (1 + exp(-gate)) * up;
    *magnitude = 2 * fabs(*value) + 0x1p-13 * fabs(gate * up);
}

/* The magnitude that tolerance() refers to. */
static void expect_one(enum elementwise_op op, size_t i, double a, double b,
                       double *value, double *magnitude)
{
    const double v = a + b;
    const struct point p = op == ELEMENTWISE_GELU_TANH ? gelu_tanh(v) : gelu(v);
    const double tail = op == ELEMENTWISE_GELU_TANH ? 0x1p-4 : 0x1p-13;

    if (op == ELEMENTWISE_SWIGLU) {
        expect_swiglu(a, b, value, magnitude);
        return;
    }
    *value = p.value;
    *magnitude = fabs(p.value) + fabs(p.slope) + tail * fabs(v);
    if (op != ELEMENTWISE_DROPOUT)
        return;
    *magnitude = elementwise_keeps((uint32_t)i)
                     ? (*magnitude + fabs(p.value)) * (10.0 / 9)
                     : 0;
    *value = elementwise_keeps((uint32_t)i) ? p.value * (10.0 / 9) : 0;
}

static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    const enum elementwise_op op = elementwise_op_of(c);
    const size_t cols = columns(c);

    for (size_t k = 0; k < n; k++) {
        const size_t i = idx[k], j = op == ELEMENTWISE_SWIGLU ? i : i % cols;

        expect_one(op, i, (double)input_bf16(seed, A, i),
                   (double)input_bf16(seed, B, j), &value[k], &magnitude[k]);
    }
}

static size_t terms(const struct kernel_case *c)
{
    (void)c;
    return 2;
}

/*
 * Rounding to bf16 errs by at most 2^-8 of the value. Every variant rounds y. A
 * chain of kernels rounds between its steps as well:
 *
 *   v = x + bias, which moves f(v) by 2^-8 |v f'(v)|;
 *
 *   SwiGLU's gate and dropout's GELU, each of which moves the result by 2^-8
 *   of itself.
 *
 * The computation in f32 between may err by an eighth of one such rounding.
 * Where v lies far below 0, 1 + erf is a small difference of large numbers,
 * which errs by 2^-24 |v|. In the tanh form it errs by 2^-12 |v|, since a tanh
 * may be good to 2^-11 only. The magnitude of expect() is the sum of these.
 */
static double tolerance(const struct kernel_case *c, const char **why)
{
    (void)c;
    *why = "9/8 of 2^-8 for each rounding to bf16, of y and between the steps "
           "of a chain, and the error of 1 + erf (2^-24) or 1 + tanh (2^-12)";
    return 9 * 0x1p-11;
}

#define ONE(op, rows, cols, use)                                        \
    {                                                                   \
        {{"op", 0, op}, {"rows", rows, NULL}, {"cols", cols, NULL}}, 3, \
            KERNEL_BF16, use                                            \
    }
#define EACH(rows, cols, use)                                                  \
    ONE("bias_gelu", rows, cols, use), ONE("bias_gelu_tanh", rows, cols, use), \
        ONE("swiglu", rows, cols, use),                                        \
        ONE("bias_gelu_dropout", rows, cols, use)
#define COLD KERNEL_MEASURE_CUDA | KERNEL_COLD
#define ON_CPU KERNEL_CHECK | KERNEL_MEASURE_CPU | KERNEL_COLD

static const struct kernel_case cases[] = {
    /* one element; odd rows; around a vector, a tile of 2048 elements, a row
       shorter and longer than a tile; a ragged end */
    EACH(1, 1, KERNEL_CHECK),
    EACH(3, 7, KERNEL_CHECK),
    EACH(5, 8, KERNEL_CHECK),
    EACH(127, 129, KERNEL_CHECK),
    EACH(256, 8, KERNEL_CHECK),
    EACH(2, 2040, KERNEL_CHECK),
    EACH(33, 2048, KERNEL_CHECK),
    EACH(3, 2056, KERNEL_CHECK),
    EACH(257, 264, KERNEL_CHECK),
    EACH(1001, 1003, KERNEL_CHECK),
    EACH(129, 8192, KERNEL_CHECK),
    EACH(7, 28672, KERNEL_CHECK),
    ONE("bias_gelu", 1024, 2048, ON_CPU),
    ONE("swiglu", 1024, 2048, ON_CPU),
    /* a matrix of 16 Ki tokens; one of 2 Ki; one of as many bytes as the
       copy of 2^28 floats in kernels/stream */
    EACH(16384, 8192, COLD),
    ONE("bias_gelu", 2048, 8192, COLD),
    ONE("bias_gelu", 65536, 8192, COLD),
};

static bool is_tanh(const struct kernel_case *c)
{
    return elementwise_op_of(c) == ELEMENTWISE_GELU_TANH &&
           elements(c) <= 16384 * 8192;
}

/* The first steps are not measured at the largest size. */
static bool is_usual(const struct kernel_case *c)
{
    return elements(c) <= 16384 * 8192;
}

/* PyTorch has no dropout with a mask of this hash; small cases are not worth
 * compiling. */
static bool is_for_peer(const struct kernel_case *c)
{
    return elementwise_op_of(c) != ELEMENTWISE_DROPOUT && is_usual(c) &&
           elements(c) >= 2048 * 8192;
}

static bool is_for_triton(const struct kernel_case *c)
{
    return is_for_peer(c) && elementwise_op_of(c) == ELEMENTWISE_SWIGLU;
}

TORCH_PEERS(elementwise)
TRITON_PEER(elementwise)

LAUNCHER(elementwise_chain);
SCRATCH(elementwise_chain_scratch);
LAUNCHER(elementwise_fused);
LAUNCHER(elementwise_vector);
LAUNCHER(elementwise_logistic);
LAUNCHER(elementwise_ahead);
LAUNCHER(elementwise_bulk);
LAUNCHER(elementwise_tanh);
C_LAUNCHER(elementwise_c_scalar);
C_LAUNCHER(elementwise_c_simd);

static const struct kernel_variant variants[] = {
    {
        .id = "c_scalar",
        .title = "plain C loop",
        .idea = "One element after the other with the functions of the C "
                "library, on one CPU thread.",
        .where = KERNEL_CPU,
        .file = "kernels/elementwise/c_scalar.c",
        .launch = elementwise_c_scalar,
    },
    {
        .id = "c_simd",
        .title = "C, vectors and threads",
        .idea = "Both functions as a logistic one, four elements at a time, "
                "and every core takes a share.",
        .where = KERNEL_CPU,
        .file = "kernels/elementwise/c_simd.c",
        .launch = elementwise_c_simd,
    },
    {
        .id = "chain",
        .title = "a kernel per operation",
        .idea = "Bias, activation and dropout are kernels of their own, with "
                "the intermediate in memory.",
        .where = KERNEL_CUDA,
        .file = "kernels/elementwise/chain.cu",
        .supports = is_usual,
        .scratch_bytes = elementwise_chain_scratch,
        .launch = elementwise_chain,
    },
    {
        .id = "fused",
        .title = "one kernel",
        .idea = "All operations on an element while it is in a register, a "
                "thread for each.",
        .where = KERNEL_CUDA,
        .file = "kernels/elementwise/fused.cu",
        .supports = is_usual,
        .launch = elementwise_fused,
    },
    {
        .id = "vector",
        .title = "16 bytes per access",
        .idea = "Each thread takes two vectors of eight elements, and blocks "
                "follow each other through memory.",
        .where = KERNEL_CUDA,
        .file = "kernels/elementwise/vector.cu",
        .supports = is_usual,
        .launch = elementwise_vector,
    },
    {
        .id = "logistic",
        .title = "GELU as a logistic function",
        .idea = "Ten instructions in place of erff(), with an error that the "
                "rounding to bf16 hides.",
        .where = KERNEL_CUDA,
        .file = "kernels/elementwise/logistic.cu",
        .launch = elementwise_logistic,
    },
    {
        .id = "ahead",
        .title = "prefetch into L2",
        .idea = "Each block first asks L2 for the tile that a block 1.5 MiB "
                "further on will read.",
        .where = KERNEL_CUDA,
        .file = "kernels/elementwise/ahead.cu",
        .launch = elementwise_ahead,
    },
    {
        .id = "bulk",
        .title = "one bulk tile per block",
        .idea = "The copy engine brings a tile to shared memory and takes it "
                "back; the threads compute in place.",
        .where = KERNEL_CUDA,
        .file = "kernels/elementwise/bulk.cu",
        .launch = elementwise_bulk,
    },
    {
        .id = "tanh",
        .title = "tanh in one instruction",
        .idea = "The tanh form of GELU from the special function unit's own "
                "tanh, good to 11 bits.",
        .where = KERNEL_CUDA,
        .file = "kernels/elementwise/tanh.cu",
        .supports = is_tanh,
        .launch = elementwise_tanh,
    },
    TORCH_EAGER(elementwise, is_for_peer,
                "A kernel for each operation as it is called: the sum, then "
                "gelu; silu, then the product."),
    TORCH_COMPILED(elementwise, is_for_peer,
                   "The same expression, fused by the compiler in its default "
                   "mode."),
    TRITON_ROW(elementwise, is_for_triton,
               "A program does a tile of 1024 to 4096 elements; width and "
               "warps as they were fastest when tried."),
};

const struct kernel_family elementwise_family = {
    .id = "elementwise",
    .title = "Activations",
    .problem = "What stands between the matrix products of a transformer: "
               "add a bias and take GELU (with erf, or its tanh form), SwiGLU "
               "of a gate and a value, or GELU with dropout, for each element "
               "of a matrix of bf16. The arithmetic is a few dozen "
               "instructions; the question is how often an element crosses "
               "the memory bus.",
    .metric = "bandwidth",
    .file = "kernels/elementwise/family.c",
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

/*
 * kernels/epilogue/family.c - a matrix product followed by bias and activation:
 * what surrounds the products in a feed-forward layer of a language model.
 *
 * Rows of A, B and C are multiples of 16 bytes, as those of every layer are.
 * kernels/epilogue/epilogue.h has the layouts.
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include <math.h>
#include <string.h>

#include "kernels/declare.h"
#include "kernels/epilogue/epilogue.h"
#include "kernels/input.h"
#include "kernels/product.h"
#include "kernels/torch_product.h"

enum { A, B, C, BIAS, SCALES }; /* buffer numbers */

static const char *const act_names[] = {
    [EPILOGUE_NONE] = "none",
    [EPILOGUE_TANH] = "gelu_tanh",
    [EPILOGUE_ERF] = "gelu_erf",
    [EPILOGUE_SWIGLU] = "swiglu",
};

/* Are outputs of SwiGLU made into FP8 (kernels/epilogue/bytes.cuh)? */
static bool quantises(const struct kernel_case *c)
{
    return strcmp(kernel_word(c, "act"), "swiglu_e4m3") == 0;
}

enum epilogue_act epilogue_act_of(const struct kernel_case *c)
{
    const char *word = kernel_word(c, "act");
    int act = EPILOGUE_NONE;

    if (quantises(c))
        return EPILOGUE_SWIGLU;
    while (act < EPILOGUE_SWIGLU && strcmp(word, act_names[act]) != 0)
        act++;
    return (enum epilogue_act)act;
}

int64_t epilogue_columns(const struct kernel_case *c)
{
    const bool half = epilogue_act_of(c) == EPILOGUE_SWIGLU;

    return kernel_num(c, "n") / (half ? 2 : 1);
}

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
    b[C] = kernel_out("c", quantises(c) ? KERNEL_E4M3 : c->dtype,
                      m * (size_t)epilogue_columns(c));
    if (epilogue_act_of(c) == EPILOGUE_NONE)
        return 3;
    b[BIAS] = kernel_in("bias", c->dtype, n);
    if (!quantises(c))
        return 4;
    b[SCALES] = kernel_in("scales", KERNEL_F32, m);
    return 5;
}

/* The operations of the product. The model does not count those of the
 * activation, since nobody agrees on their number. */
static void model(const struct kernel_case *c, struct kernel_model *mod)
{
    const int64_t m = kernel_num(c, "m"), n = kernel_num(c, "n");
    const int64_t k = kernel_num(c, "k");
    const bool plain = epilogue_act_of(c) == EPILOGUE_NONE;

    mod->flop = 2 * m * n * k;
    mod->bytes_read = 2 * (m * k + n * k + (plain ? 0 : n));
    mod->bytes_written = 2 * m * epilogue_columns(c);
    mod->formula = "2 m n k FLOP of the product; 2 B read per element of A, B "
                   "and the bias, 2 B written per element of C";
    mod->unit = "bf16";
    mod->level = "hbm";
    if (!quantises(c))
        return;
    mod->bytes_read += 4 * m;
    mod->bytes_written /= 2;
    mod->formula = "2 m n k FLOP of the product; 2 B read per element of A, B "
                   "and the bias, 4 B per scale of a row, 1 B written per "
                   "element of C";
}

/* The product before the activation: all n columns. */
static struct kernel_product product_before(const struct kernel_case *c)
{
    const size_t m = (size_t)kernel_num(c, "m"), n = (size_t)kernel_num(c, "n");

    return (struct kernel_product){.a = product_rows(A, m, terms(c)),
                                   .b = product_rows(B, n, terms(c)),
                                   .out = product_rows(C, m, n),
                                   .count = 1,
                                   .rows = m,
                                   .cols = n,
                                   .depth = terms(c),
                                   .times = 1,
                                   .sum_bits = 23};
}

bool epilogue_product(const struct kernel_case *c, struct kernel_product *p)
{
    *p = product_before(c);
    return epilogue_act_of(c) == EPILOGUE_NONE;
}

/* ---- the reference ---- */

enum {
    STEP_OF_MMA = 16, /* products that a tensor core adds up at once */
    MOST = 64,        /* outputs that are computed together */
};

static const double ROUNDING = 0x1p-8;  /* to bf16, which has 8 bits */
static const double ROUNDING8 = 0x1p-4; /* to e4m3, which has 4 */
static const double LEAST8 = 0x1p-10;   /* and half of its smallest number */
static const double SPARE = 9 / 8.0;    /* for f32 between two roundings */

/* A sum with its bias, and how far off a right kernel may be there: by adding
 * up, and by rounding twice. */
struct seen {
    double v, off;
};

/* Sums of the columns idx[], which are elements of the product. */
static void see(const struct kernel_case *c, uint64_t seed, const size_t *idx,
                size_t count, struct seen *to)
{
    const struct product_error e = {
        .sizes = product_rounds(terms(c), 24),
        .most = product_cuts(terms(c), terms(c), STEP_OF_MMA, 22)};
    const struct kernel_product p = product_before(c);
    const size_t n = (size_t)kernel_num(c, "n");
    const bool plain = epilogue_act_of(c) == EPILOGUE_NONE;
    double sum[2 * MOST], magnitude[2 * MOST];
    struct kernel_buffer b[KERNEL_MAX_BUFFERS];

    buffers(c, b);
    product_expect(&p, b, seed, e, idx, count, sum, magnitude);
    for (size_t i = 0; i < count; i++) {
        const double off = magnitude[i] - fabs(sum[i]);

        if (plain) {
            to[i] = (struct seen){sum[i], off};
            continue;
        }
        to[i].v = sum[i] + (double)input_bf16(seed, BIAS, idx[i] % n);
        to[i].off = off + ROUNDING * (fabs(sum[i]) + fabs(to[i].v));
    }
}

/* A function at a point: its value and its slope. */
struct point {
    double value, slope;
};

static struct point gelu_erf(double v)
{
    const double p = 0.5 * erfc(-v * sqrt(0.5));

    return (struct point){v * p,
                          p + v * exp(-0.5 * v * v) * 0.3989422804014327};
}

static struct point gelu_tanh(double v)
{
    const double a = EPILOGUE_SLOPE, b = EPILOGUE_CUBE;
    const double t = tanh(a * (v + b * v * v * v));

    return (struct point){0.5 * v * (1 + t),
                          0.5 * (1 + t) +
                              0.5 * v * (1 - t * t) * a * (1 + 3 * b * v * v)};
}

static struct point silu(double v)
{
    const double s = 1 / (1 + exp(-v));

    return (struct point){v * s, s + v * s * (1 - s)};
}

/* Half of the greatest second derivative of all three, which is that of GELU at
 * 0: sqrt(2/π). */
static const double HALF_BENT = 0.4;

/* 1 + tanh by the special function unit; Φ by a polynomial. In shares of v. */
static const double BY_TANH = 0x1p-12, BY_FIT = 0x1p-15;

/* How far off a function may be that is p at v, if v is `off` off. */
static double passed_on(struct point p, double off)
{
    return fabs(p.slope) * off + HALF_BENT * off * off;
}

/* A value, and how far off a right kernel may be before it rounds it. */
struct output {
    double value, off;
};

static struct output gelu(enum epilogue_act act, struct seen s)
{
    const struct point p =
        act == EPILOGUE_TANH ? gelu_tanh(s.v) : gelu_erf(s.v);

    return (struct output){p.value, passed_on(p, s.off) +
                                        (BY_TANH + BY_FIT) * fabs(s.v)};
}

static struct output swiglu(struct seen gate, struct seen up)
{
    const struct point p = silu(gate.v);
    const double off = passed_on(p, gate.off) + BY_TANH * fabs(gate.v);

    return (struct output){p.value * up.v, off * (fabs(up.v) + up.off) +
                                               fabs(p.value) * up.off};
}

/* The output times the scale of its row, in FP8. A kernel behind the product
 * gets it rounded to bf16; what is too large becomes the largest number. */
static struct output scaled(struct output o, double scale)
{
    const double off = (o.off + ROUNDING * fabs(o.value)) * fabs(scale);

    return (struct output){fmax(-E4M3_MOST, fmin(o.value * scale, E4M3_MOST)),
                           off + LEAST8};
}

/* At most MOST outputs. */
static void expect_some(const struct kernel_case *c, uint64_t seed,
                        const size_t *idx, size_t count, double *value,
                        double *magnitude)
{
    const enum epilogue_act act = epilogue_act_of(c);
    const size_t each = act == EPILOGUE_SWIGLU ? 2 : 1;
    const double share = act == EPILOGUE_NONE ? 1 : SPARE;
    const double rounding = quantises(c) ? ROUNDING8 : ROUNDING;
    size_t of[2 * MOST];
    struct seen s[2 * MOST];

    for (size_t i = 0; i < count; i++) {
        /* rows of C are half as long, so the number of a run is doubled */
        of[i * each] = each == 1 ? idx[i]
                                 : idx[i] / EPILOGUE_RUN * 2 * EPILOGUE_RUN +
                                       idx[i] % EPILOGUE_RUN;
        if (each == 2)
            of[2 * i + 1] = of[2 * i] + EPILOGUE_RUN;
    }
    see(c, seed, of, count * each, s);
    for (size_t i = 0; i < count; i++) {
        struct output o =
            act == EPILOGUE_NONE     ? (struct output){s[i].v, s[i].off}
            : act == EPILOGUE_SWIGLU ? swiglu(s[2 * i], s[2 * i + 1])
                                     : gelu(act, s[i]);

        if (quantises(c))
            o = scaled(o,
                       (double)input_f32(seed, SCALES,
                                         idx[i] / (size_t)epilogue_columns(c)));
        value[i] = o.value;
        magnitude[i] = fabs(o.value) + o.off / (rounding * share);
    }
}

/* The magnitude that tolerance() refers to. */
static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t count, double *value,
                   double *magnitude)
{
    for (size_t i = 0; i < count; i += MOST)
        expect_some(c, seed, idx + i, count - i < MOST ? count - i : MOST,
                    value + i, magnitude + i);
}

/*
 * The result is rounded to bf16: 2^-8 |C|. Sums err as in gemm16, and a chain
 * of kernels rounds them to bf16, and again with their bias. The activation
 * passes that on by its slope there, and half its second derivative times the
 * square. tanh.approx errs by 2^-11, so v/2 (1 + tanh) by 2^-12 |v|, and the
 * polynomial for Φ by 2^-15 at most. The magnitude of expect() is |C| and all
 * that, as a share of the tolerance; an eighth of a rounding is left to what
 * f32 does in between.
 */
static double tolerance(const struct kernel_case *c, const char **why)
{
    if (epilogue_act_of(c) == EPILOGUE_NONE) {
        *why = "2^-8 of |C| for the rounding to bf16, sqrt(k) 2^-24 of the sum "
               "of |a b| for additions in f32, and 2^-22 of the largest "
               "running sum for each 16 products on tensor cores";
        return ROUNDING;
    }
    if (quantises(c)) {
        *why = "9/8 of 2^-4 of |C| and 2^-10 for the rounding to e4m3; before "
               "that, times the scale, 2^-8 for a rounding to bf16, what the "
               "gate and the up may be off, times the slope of silu, and "
               "2^-12 of the gate for 1 + tanh";
        return ROUNDING8 * SPARE;
    }
    *why = "9/8 of 2^-8 of |C| for the rounding to bf16; what the sum v may be "
           "off, as a product and by 2^-8 twice where it is rounded before and "
           "behind the bias, times the slope of the activation; and 2^-12 + "
           "2^-15 of |v| for 1 + tanh";
    return ROUNDING * SPARE;
}

/* ---- cases ---- */

#define ONE(word, m, n, k, which, use) \
    {                                  \
        {{"layer", 0, word},           \
         {"m", m, NULL},               \
         {"n", n, NULL},               \
         {"k", k, NULL},               \
         {"act", 0, which}},           \
            5, KERNEL_BF16, use        \
    }
#define CHECK(m, n, k, which) ONE("check", m, n, k, which, KERNEL_CHECK)

/* Tiny; one tile, and one row more; a slot that is not full; around the number
 * of slots, where groups begin to take turns; more tiles than multiprocessors,
 * ragged in every direction. */
#define CHECKS(which)                                                \
    CHECK(1, 16, 8, which), CHECK(17, 48, 40, which),                \
        CHECK(128, 256, 64, which), CHECK(129, 272, 256, which),     \
        CHECK(130, 144, 320, which), CHECK(256, 128, 4096, which),   \
        CHECK(300, 528, 360, which), CHECK(1000, 1008, 1000, which), \
        CHECK(2111, 3216, 264, which), CHECK(4104, 1808, 520, which)
#define MEASURE(word, m, n, k, which, use) \
    ONE(word, m, n, k, which,              \
        KERNEL_MEASURE_CUDA | KERNEL_COLD | KERNEL_FULL | (use))
#define GELUS(word, m, n, k, use)                 \
    MEASURE(word, m, n, k, "none", use),          \
        MEASURE(word, m, n, k, "gelu_tanh", use), \
        MEASURE(word, m, n, k, "gelu_erf", use)
/* Layers of Llama-3.1-8B: both projections into the feed-forward layer as one;
 * one of them, as models with GELU have it; and the projection out of it, for
 * its long sums. */
#define LAYERS(m, use)                                     \
    GELUS("gate_up", m, 28672, 4096, use),                 \
        MEASURE("gate_up", m, 28672, 4096, "swiglu", use), \
        GELUS("fc1", m, 14336, 4096, use), GELUS("down", m, 4096, 14336, use)

/* Both projections into the feed-forward layer of Llama-3.1-70B. */
#define BIG(which) \
    MEASURE("l70b_gate_up", 4096, 57344, 8192, which, KERNEL_STEADY)

/* Outputs in bytes, whose rows are multiples of 16 of them. */
#define CHECK8(m, n, k) CHECK(m, n, k, "swiglu_e4m3")
#define BYTES(m, use) MEASURE("gate_up", m, 28672, 4096, "swiglu_e4m3", use)

static const struct kernel_case cases[] = {
    CHECKS("none"),
    CHECKS("gelu_tanh"),
    CHECKS("gelu_erf"),
    CHECKS("swiglu"),
    LAYERS(256, 0),
    LAYERS(4096, KERNEL_STEADY),
    BIG("none"),
    BIG("swiglu"),
    CHECK8(1, 32, 8),
    CHECK8(17, 96, 40),
    CHECK8(129, 288, 256),
    CHECK8(300, 544, 360),
    CHECK8(1000, 1024, 1000),
    CHECK8(2111, 3232, 264),
    BYTES(256, 0),
    BYTES(4096, KERNEL_STEADY),
};

static bool of_none(const struct kernel_case *c)
{
    return epilogue_act_of(c) == EPILOGUE_NONE;
}

static bool of_gelu(const struct kernel_case *c)
{
    return epilogue_act_of(c) == EPILOGUE_TANH ||
           epilogue_act_of(c) == EPILOGUE_ERF;
}

static bool of_swiglu(const struct kernel_case *c)
{
    return epilogue_act_of(c) == EPILOGUE_SWIGLU && !quantises(c);
}

static bool of_any(const struct kernel_case *c)
{
    return !of_none(c) && !quantises(c);
}

/* The library's GELU is the tanh form. */
static bool by_library(const struct kernel_case *c)
{
    return of_none(c) || epilogue_act_of(c) == EPILOGUE_TANH;
}

/* What PyTorch calls is the library's product with bias and tanh. */
static bool of_tanh(const struct kernel_case *c)
{
    return epilogue_act_of(c) == EPILOGUE_TANH;
}

/* ---- variants ---- */

LAUNCHER(epilogue_plain);
LAUNCHER(epilogue_apart);
LAUNCHER(epilogue_two);
LAUNCHER(epilogue_inline);
LAUNCHER(epilogue_polynomial);
LAUNCHER(epilogue_late);
LAUNCHER(epilogue_hidden);
LAUNCHER(epilogue_swiglu);
LAUNCHER(epilogue_bytes_after);
LAUNCHER(epilogue_bytes);
LAUNCHER(epilogue_cublas);
PREPARE(epilogue_plain_prepare);
PREPARE(epilogue_apart_prepare);
PREPARE(epilogue_two_prepare);
PREPARE(epilogue_inline_prepare);
PREPARE(epilogue_polynomial_prepare);
PREPARE(epilogue_late_prepare);
PREPARE(epilogue_hidden_prepare);
PREPARE(epilogue_swiglu_prepare);
PREPARE(epilogue_bytes_after_prepare);
PREPARE(epilogue_bytes_prepare);
PREPARE(epilogue_cublas_prepare);
SCRATCH(epilogue_product_scratch);
SCRATCH(epilogue_bytes_after_scratch);
SCRATCH(epilogue_cublas_scratch);
CHOSEN(epilogue_cublas_chosen);
RELEASE(epilogue_maps_release);
RELEASE(epilogue_cublas_release);
const char *cublas_library(void) __attribute__((weak));

TORCH_PRODUCT(epilogue_torch_eager, "epilogue library")
TORCH_PRODUCT(epilogue_torch_compile, "epilogue compiled")

#define STEP(name, words, what, cases_of, scratch)                       \
    {                                                                    \
        .id = #name, .title = words, .idea = what, .where = KERNEL_CUDA, \
        .file = "kernels/epilogue/" #name ".cu", .supports = cases_of,   \
        .scratch_bytes = scratch, .prepare = epilogue_##name##_prepare,  \
        .launch = epilogue_##name, .release = epilogue_maps_release,     \
    }

static const struct kernel_variant variants[] = {
    STEP(plain, "the product alone",
         "No bias and no activation, in the frame of gemm16/late: what the "
         "other steps add to.",
         of_none, NULL),
    STEP(apart, "three kernels",
         "Product, bias and activation, each with its result in memory.",
         of_any, epilogue_product_scratch),
    STEP(two, "two kernels",
         "Bias and activation are one kernel, so the product is written once "
         "and read once.",
         of_any, epilogue_product_scratch),
    STEP(inline, "on the sums in registers",
         "A warp group applies bias and activation to its sums before it "
         "rounds them, with the functions of the math library.",
         of_gelu, NULL),
    STEP(polynomial, "erf as a bent tanh",
         "A polynomial bends the argument, and the special function unit has "
         "an instruction for tanh.",
         of_gelu, NULL),
    STEP(late, "outputs leave during the next products",
         "Outputs are sent away while the tensor cores do the next tile, which "
         "wait for the activation alone.",
         of_gelu, NULL),
    STEP(hidden, "one group computes, the other multiplies",
         "One warp group comes to the end of a tile before the other, so the "
         "tensor cores have work during either one's activation.",
         of_gelu, NULL),
    STEP(swiglu, "gates and ups side by side",
         "Columns of gates and ups take turns in B, so a thread has both, and "
         "half as many outputs leave.",
         of_swiglu, NULL),
    STEP(bytes_after, "outputs as FP8, by a second kernel",
         "SwiGLU's outputs go to memory in bf16, and a kernel behind it makes "
         "bytes of them with the scale of their row.",
         quantises, epilogue_bytes_after_scratch),
    STEP(bytes, "outputs as FP8, from registers",
         "The warp group multiplies its outputs by the scale of their row and "
         "rounds them to bytes: a tile's are one panel.",
         quantises, NULL),
    {
        .id = "cublas",
        .title = "cuBLASLt",
        .idea = "The product with the library's own bias and tanh form of "
                "GELU, or alone; the fastest of up to 32 proposals, found by "
                "trying once for all processes.",
        .where = KERNEL_CUDA,
        .role = KERNEL_PEER,
        .file = "kernels/epilogue/cublas.cu",
        .supports = by_library,
        .scratch_bytes = epilogue_cublas_scratch,
        .prepare = epilogue_cublas_prepare,
        .launch = epilogue_cublas,
        .release = epilogue_cublas_release,
        .library = cublas_library,
        .chosen = epilogue_cublas_chosen,
        .chooses = KERNEL_CHOOSES_ONCE,
    },
    TORCH_PRODUCT_ROW("torch_eager", "PyTorch, _addmm_activation",
                      epilogue_torch_eager, of_tanh,
                      "One call for product, bias and the tanh form of GELU."),
    TORCH_PRODUCT_ROW("torch_compile", "torch.compile", epilogue_torch_compile,
                      of_any,
                      "A linear layer and its activation, compiled: cuBLAS and "
                      "one kernel in Triton behind it."),
};

const struct kernel_family epilogue_family = {
    .id = "epilogue",
    .title = "Product and activation, bf16",
    .problem = "A matrix product with what follows it in a feed-forward layer: "
               "C = act(A B^T + bias) in bf16, with sums in f32. The "
               "activation is GELU in its tanh form or with erf, SwiGLU, or "
               "none. The shapes are layers of Llama-3.1-8B with 256 and 4096 "
               "tokens. The product keeps the tensor cores busy; the question "
               "is what the rest costs beside it.",
    .metric = "throughput",
    .file = "kernels/epilogue/family.c",
    .cases = cases,
    .ncases = sizeof cases / sizeof cases[0],
    .variants = variants,
    .nvariants = sizeof variants / sizeof variants[0],
    .buffers = buffers,
    .model = model,
    .expect = expect,
    .terms = terms,
    .tolerance = tolerance,
    .finite_only = "the activation of minus infinity is a product of 0 and "
                   "infinity in one formula and 0 in another",
};

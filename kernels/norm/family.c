/*
 * kernels/norm/family.c - LayerNorm and RMSNorm over rows, alone and fused with
 * their neighbours in a transformer: the residual before, FP8 after. norm.h has
 * the formulas.
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include "kernels/declare.h"
#include "kernels/input.h"
#include "kernels/norm/norm.h"
#include "kernels/torch.h"
#include "kernels/triton.h"

#include <math.h>
#include <stdlib.h>

enum { HELD = 1 << 14 /* longest row that one block holds */ };

static size_t elements(const struct kernel_case *c)
{
    return (size_t)norm_rows(c) * (size_t)norm_cols(c);
}

static bool adds(const struct kernel_case *c)
{
    return norm_op_of(c) == NORM_RESIDUAL || norm_op_of(c) == NORM_FP8;
}

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    const size_t n = elements(c), cols = (size_t)norm_cols(c);
    size_t k = 0;

    b[k++] = kernel_in("x", KERNEL_BF16, n);
    b[k++] = kernel_in("w", KERNEL_BF16, cols);
    if (norm_op_of(c) == NORM_LAYER)
        b[k++] = kernel_in("b", KERNEL_BF16, cols);
    if (adds(c)) {
        b[k++] = kernel_in("r", KERNEL_BF16, n);
        b[k++] = kernel_out("h", KERNEL_BF16, n);
    }
    if (norm_op_of(c) == NORM_FP8) {
        b[k++] = kernel_out("q", KERNEL_E4M3, n);
        b[k++] = kernel_out("scale", KERNEL_F32, (size_t)norm_rows(c));
    } else {
        b[k++] = kernel_out("y", KERNEL_BF16, n);
    }
    return k;
}

/* The cost of each op: operations and bytes per element, bytes per column and
 * per row. */
static const struct {
    int flop, read, written, per_col, per_row;
    const char *formula;
} costs[] = {
    [NORM_LAYER] = {7, 2, 2, 4, 0,
                    "2 B read and 2 B written per element, 4 B read per "
                    "column, 7 FLOP: mean, deviation, its square, its sum, "
                    "factor, weight, bias"},
    [NORM_RMS] = {4, 2, 2, 2, 0,
                  "2 B read and 2 B written per element, 2 B read per column, "
                  "4 FLOP: square, sum, factor, weight"},
    [NORM_RESIDUAL] = {5, 4, 4, 2, 0,
                       "4 B read and 4 B written per element, 2 B read per "
                       "column, 5 FLOP: residual, square, sum, factor, "
                       "weight"},
    [NORM_FP8] = {7, 4, 3, 2, 4,
                  "4 B read and 3 B written per element, 2 B read per column, "
                  "4 B written per row, 7 FLOP: residual, square, sum, "
                  "factor, weight, maximum, scale"},
};

static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const enum norm_op op = norm_op_of(c);
    const int64_t n = (int64_t)elements(c);

    m->flop = costs[op].flop * n;
    m->bytes_read = costs[op].read * n + costs[op].per_col * norm_cols(c);
    m->bytes_written = costs[op].written * n + costs[op].per_row * norm_rows(c);
    m->formula = costs[op].formula;
    m->unit = "fp32";
    m->level = "hbm";
}

/* The numbers that all elements of a row share. */
struct row {
    double mean, size, by; /* size: mean of the squares; by: 1 / sqrt */
    double scale;
};

/* x, or x + r: a multiple of 2^-7 below 2, so bf16 holds it and rounding
 * changes nothing. */
static double element(bool sum, uint64_t seed, size_t i)
{
    const double x = (double)input_bf16(seed, NORM_X, i);

    return sum ? x + (double)input_bf16(seed, NORM_OTHER, i) : x;
}

static double weight(uint64_t seed, size_t col)
{
    return (double)input_bf16(seed, NORM_W, col);
}

static struct row row_of(const struct kernel_case *c, uint64_t seed, size_t r)
{
    const size_t cols = (size_t)norm_cols(c), begin = r * cols;
    const enum norm_op op = norm_op_of(c);
    const bool sum = adds(c);
    struct row row = {0};
    double squares = 0, top = 0, *x = malloc(cols * sizeof *x);

    if (!x)
        abort();
    for (size_t i = 0; i < cols; i++) {
        x[i] = element(sum, seed, begin + i);
        row.mean += x[i] / (double)cols;
        row.size += x[i] * x[i] / (double)cols;
    }
    if (op != NORM_LAYER)
        row.mean = 0;
    for (size_t i = 0; i < cols; i++)
        squares += pow(x[i] - row.mean, 2) / (double)cols;
    row.by = 1 / sqrt(squares + (double)NORM_EPS);
    for (size_t i = 0; op == NORM_FP8 && i < cols; i++)
        top = fmax(top, fabs(x[i] * weight(seed, i)));
    row.scale = top > 0 ? top * row.by / NORM_FP8_MAX : 1;
    free(x);
    return row;
}

/* Half a unit in the last place of e4m3 at |v|. */
static double half_fp8(double v)
{
    int exponent;

    frexp(v, &exponent); /* |v| in [2^(exponent-1), 2^exponent) */
    return ldexp(1, (exponent - 1 < -6 ? -6 : exponent - 1) - 4);
}

static const double BF16 = 0x1p-8; /* of all outputs: see tolerance() */

/* The relative error of a row's factor, in f32: see tolerance(). */
static double factor_error(const struct kernel_case *c, const struct row *row)
{
    const double u = 0x1p-24;

    return u * (16 + sqrt((double)norm_cols(c)) / 4 +
                8 * row->size * row->by * row->by);
}

static void expect_y(const struct kernel_case *c, uint64_t seed, size_t i,
                     const struct row *row, double *value, double *magnitude)
{
    const size_t col = i % (size_t)norm_cols(c);
    const double by = row->by * weight(seed, col);
    double y = (element(adds(c), seed, i) - row->mean) * by;
    double rough = fabs(y) + fabs(by);

    if (norm_op_of(c) == NORM_LAYER) {
        const double b = (double)input_bf16(seed, NORM_OTHER, col);

        y += b;
        rough += fabs(b);
    }
    *value = y;
    *magnitude = fabs(y) + rough * factor_error(c, row) / BF16;
}

static void expect_q(const struct kernel_case *c, uint64_t seed, size_t i,
                     const struct row *row, double *value, double *magnitude)
{
    const double y = element(adds(c), seed, i) * row->by *
                     weight(seed, i % (size_t)norm_cols(c));
    const double v = y / row->scale, off = 2 * BF16 * fabs(v);

    *value = v;
    *magnitude = (half_fp8(fabs(v) + off) + off) / BF16;
}

/* Outputs of one row come together, so its shared numbers are computed once.
 * The first n outputs are h, where there is one; scales come last. */
static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    const size_t cols = (size_t)norm_cols(c), all = elements(c);
    const size_t first = adds(c) ? all : 0;
    size_t known = SIZE_MAX;
    struct row row = {0};

    for (size_t k = 0; k < n; k++) {
        const bool scale = idx[k] >= first + all;
        const size_t i = idx[k] - first;
        const size_t r = scale ? i - all : i / cols;

        if (idx[k] < first) {
            value[k] = element(adds(c), seed, idx[k]);
            magnitude[k] = 0;
            continue;
        }
        if (r != known)
            row = row_of(c, seed, known = r);
        if (scale)
            magnitude[k] = value[k] = row.scale;
        else if (norm_op_of(c) == NORM_FP8)
            expect_q(c, seed, i, &row, &value[k], &magnitude[k]);
        else
            expect_y(c, seed, i, &row, &value[k], &magnitude[k]);
    }
}

static size_t terms(const struct kernel_case *c)
{
    return (size_t)norm_cols(c);
}

/*
 * 2^-8 of what expect() calls the magnitude, for all outputs:
 *
 *   h is exact, and its magnitude 0: a sum of two multiples of 2^-7 below 1
 *   is one below 2, which has 8 bits.
 *
 *   y is rounded to bf16, which errs by 2^-8 |y|, and computed in f32, with
 *   u = 2^-24. Its factor 1/sqrt(E (x - E x)^2 + eps) has half the relative
 *   error of what is under the root. These errors add up in factor_error():
 *   a sum of n squares in at least 16 chains errs by u sqrt(n)/4, as derived
 *   in kernels/softmax/family.c; the other operations err by less than 16u
 *   together; a mean square that is computed as E x^2 - (E x)^2 errs by
 *   8u E x^2, which counts relative to that difference. The mean errs by at
 *   most u sqrt(n)/4, as |x| < 2. So y errs by factor_error() times
 *   |y| + |b| + |factor w|. The magnitude has this divided by 2^-8.
 *
 *   the scale is max |y| / 448 and errs like y. The chain of kernels rounds
 *   y to bf16 before it takes the maximum: 2^-8.
 *
 *   q is rounded to e4m3, by half a unit in the last place, from a quotient
 *   of y and scale, which are good to 2^-8 each.
 */
static double tolerance(const struct kernel_case *c, const char **why)
{
    *why = norm_op_of(c) == NORM_FP8
               ? "h exact; scale 2^-8, as y may be rounded to bf16 before; q "
                 "half a unit in the last place of e4m3 and twice 2^-8 of it"
               : "2^-8 of y for the rounding to bf16, and (16 + sqrt(cols)/4 + "
                 "8 E x^2 / (var + eps)) 2^-24 of |y| + |b| + |w| / sqrt(var + "
                 "eps) for sums and factor in f32; h exact";
    return BF16;
}

#define CASE(word, r, n, use)                                       \
    {                                                               \
        {{"op", 0, word}, {"rows", r, NULL}, {"cols", n, NULL}}, 3, \
            KERNEL_BF16, use                                        \
    }
#define OPS(r, n, use)                                        \
    CASE("layernorm", r, n, use), CASE("rmsnorm", r, n, use), \
        CASE("rmsnorm_residual", r, n, use), CASE("rmsnorm_fp8", r, n, use)
/* 2^27 elements in all. */
#define COLD(word, n) \
    CASE(word, (1 << 27) / (n), n, KERNEL_MEASURE_CUDA | KERNEL_COLD)
#define ON_CPU KERNEL_CHECK | KERNEL_MEASURE_CPU | KERNEL_COLD

static const struct kernel_case cases[] = {
    /* one element, less than a vector, rows at odd addresses, around the
       elements of a thread, a warp and a block */
    OPS(1, 1, KERNEL_CHECK),
    OPS(5, 3, KERNEL_CHECK),
    OPS(7, 31, KERNEL_CHECK),
    OPS(1, 1000, KERNEL_CHECK),
    OPS(3, 1023, KERNEL_CHECK),
    OPS(9, 1024, KERNEL_CHECK),
    OPS(131, 1032, KERNEL_CHECK),
    OPS(1500, 2048, KERNEL_CHECK),
    OPS(3, 5119, KERNEL_CHECK),
    OPS(2, 8200, KERNEL_CHECK),
    OPS(5, 16383, KERNEL_CHECK),
    OPS(3, 16384, KERNEL_CHECK),
    OPS(64, 2560, ON_CPU),
    COLD("layernorm", 1 << 10),
    COLD("layernorm", 1 << 12),
    COLD("layernorm", 1 << 13),
    COLD("layernorm", 1 << 14),
    COLD("rmsnorm", 1 << 10),
    COLD("rmsnorm", 1 << 12),
    COLD("rmsnorm", 1 << 13),
    COLD("rmsnorm", 1 << 14),
    COLD("rmsnorm_residual", 1 << 12),
    COLD("rmsnorm_residual", 1 << 13),
    COLD("rmsnorm_fp8", 1 << 12),
    COLD("rmsnorm_fp8", 1 << 13),
};

static bool plain(const struct kernel_case *c)
{
    return !adds(c);
}

static bool layer(const struct kernel_case *c)
{
    return norm_op_of(c) == NORM_LAYER;
}

static bool fits(const struct kernel_case *c)
{
    return norm_cols(c) <= HELD;
}

static bool has_steps(const struct kernel_case *c)
{
    return adds(c) && fits(c);
}

/* The TMA needs rows that start at multiples of 16 bytes. */
static bool fits_ring(const struct kernel_case *c)
{
    return fits(c) && norm_whole(c);
}

/* Only an op with nothing but a weight has enough registers. */
static bool fits_wide(const struct kernel_case *c)
{
    return norm_op_of(c) == NORM_RMS && fits_ring(c);
}

/* torch.compile takes seconds, so not every width. */
static bool is_for_compiler(const struct kernel_case *c)
{
    return (c->use & KERNEL_MEASURE_CUDA) && norm_cols(c) != 1 << 12;
}

/* Only its layernorm can write where it is told to. */
static bool is_for_eager(const struct kernel_case *c)
{
    return is_for_compiler(c) && layer(c);
}

static bool is_for_triton(const struct kernel_case *c)
{
    return is_for_compiler(c) && norm_op_of(c) == NORM_RMS;
}

TORCH_PEERS(norm)
TRITON_PEER(norm)

LAUNCHER(norm_chain);
SCRATCH(norm_chain_scratch);
LAUNCHER(norm_two);
LAUNCHER(norm_one);
LAUNCHER(norm_welford);
LAUNCHER(norm_registers);
LAUNCHER(norm_ahead);
LAUNCHER(norm_wide);
LAUNCHER(norm_persistent);
SCRATCH(norm_persistent_scratch);
C_LAUNCHER(norm_c_scalar);
C_LAUNCHER(norm_c_simd);

static const struct kernel_variant variants[] = {
    {
        .id = "c_scalar",
        .title = "plain C loops",
        .idea = "The definition in loops on one CPU thread.",
        .where = KERNEL_CPU,
        .file = "kernels/norm/c_scalar.c",
        .launch = norm_c_scalar,
    },
    {
        .id = "c_simd",
        .title = "C, vectors and threads",
        .idea = "The row as floats on the stack, four chains of sums, and "
                "every core takes a share of the rows.",
        .where = KERNEL_CPU,
        .file = "kernels/norm/c_simd.c",
        .supports = fits,
        .launch = norm_c_simd,
    },
    {
        .id = "two",
        .title = "mean, then deviations",
        .idea = "The definition, a block a row: the mean, the squares about "
                "it, the result are a pass each.",
        .where = KERNEL_CUDA,
        .file = "kernels/norm/two.cu",
        .supports = plain,
        .launch = norm_two,
    },
    {
        .id = "one",
        .title = "both sums in one pass",
        .idea = "Sum and sum of squares together: a pass less, and a "
                "difference that may cancel.",
        .where = KERNEL_CUDA,
        .file = "kernels/norm/one.cu",
        .supports = layer,
        .launch = norm_one,
    },
    {
        .id = "welford",
        .title = "running mean",
        .idea = "Welford's recurrence: as few passes, nothing cancels, and "
                "every element waits for the one before.",
        .where = KERNEL_CUDA,
        .file = "kernels/norm/welford.cu",
        .supports = layer,
        .launch = norm_welford,
    },
    {
        .id = "chain",
        .title = "a kernel a step",
        .idea = "Residual, norm and FP8 by a kernel each, well made, with "
                "all that lies between in memory.",
        .where = KERNEL_CUDA,
        .file = "kernels/norm/chain.cu",
        .supports = has_steps,
        .scratch_bytes = norm_chain_scratch,
        .launch = norm_chain,
    },
    {
        .id = "registers",
        .title = "the row in registers, fused",
        .idea = "One read in 16-byte vectors; residual and FP8 are done while "
                "the row is there.",
        .where = KERNEL_CUDA,
        .file = "kernels/norm/registers.cu",
        .supports = fits,
        .launch = norm_registers,
    },
    {
        .id = "ahead",
        .title = "a row further on asked for",
        .idea = "The row that lies 1.5 MiB further on is fetched into L2, and "
                "nobody waits for it.",
        .where = KERNEL_CUDA,
        .file = "kernels/norm/ahead.cu",
        .supports = fits_ring,
        .launch = norm_ahead,
    },
    {
        .id = "wide",
        .title = "half as much a thread",
        .idea = "16 elements a thread, kept as they were loaded, so that all "
                "warps find room.",
        .where = KERNEL_CUDA,
        .file = "kernels/norm/wide.cu",
        .supports = fits_wide,
        .launch = norm_wide,
    },
    {
        .id = "persistent",
        .title = "resident blocks, rows by ticket",
        .idea = "The bulk copy engine fetches the next rows; weights stay in "
                "registers.",
        .where = KERNEL_CUDA,
        .file = "kernels/norm/persistent.cu",
        .supports = fits_ring,
        .scratch_bytes = norm_persistent_scratch,
        .launch = norm_persistent,
    },
    TORCH_EAGER(norm, is_for_eager, "native_layer_norm into the output."),
    TORCH_COMPILED(norm, is_for_compiler,
                   "The whole op as one expression, which the compiler may "
                   "fuse, in its default mode."),
    TRITON_ROW(norm, is_for_triton,
               "A program holds a row, a power of two wide; a program for "
               "each row or resident ones, whichever was faster when tried."),
};

const struct kernel_family norm_family = {
    .id = "norm",
    .title = "LayerNorm and RMSNorm",
    .problem = "Scale each row of a matrix to unit size, and with LayerNorm "
               "to mean zero first, then by a weight for each column. In a "
               "transformer a residual is added before and a conversion to "
               "FP8 may follow, and all of it is bytes: what is fused is "
               "moved once.",
    .metric = "bandwidth",
    .file = "kernels/norm/family.c",
    .cases = cases,
    .ncases = sizeof cases / sizeof cases[0],
    .variants = variants,
    .nvariants = sizeof variants / sizeof variants[0],
    .buffers = buffers,
    .model = model,
    .expect = expect,
    .terms = terms,
    .tolerance = tolerance,
    .grid_only =
        "x + r is compared bit for bit, and only sums of inputs on the "
        "grid are exact in bf16",
    .finite_only = "a row with a NaN or an infinity has no size to be scaled "
                   "by, and frameworks differ in what they make of it",
};

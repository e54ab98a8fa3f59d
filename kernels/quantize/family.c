/*
 * kernels/quantize/family.c - bf16 to a byte with a scale: E4M3 or INT8, one
 * scale for a tensor, a row, or 128 elements.
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include "kernels/declare.h"
#include "kernels/quantize/quantize.h"

#include "kernels/input.h"
#include "kernels/knob.h"
#include "kernels/torch.h"
#include "kernels/triton.h"

#include <math.h>
#include <string.h>

enum quantize_scale quantize_scale_of(const struct kernel_case *c)
{
    const char *word = kernel_word(c, "scale");

    if (strcmp(word, "tensor") == 0)
        return QUANTIZE_TENSOR;
    return strcmp(word, "row") == 0 ? QUANTIZE_ROW : QUANTIZE_GROUP128;
}

bool quantize_is_fp8(const struct kernel_case *c)
{
    return strcmp(kernel_word(c, "format"), "e4m3") == 0;
}

size_t quantize_elements(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "rows") * (size_t)kernel_num(c, "cols");
}

size_t quantize_group(const struct kernel_case *c)
{
    switch (quantize_scale_of(c)) {
    case QUANTIZE_TENSOR:
        return quantize_elements(c);
    case QUANTIZE_ROW:
        return (size_t)kernel_num(c, "cols");
    case QUANTIZE_GROUP128:
        break;
    }
    return QUANTIZE_GROUP;
}

static size_t groups(const struct kernel_case *c)
{
    return quantize_elements(c) / quantize_group(c);
}

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    const size_t n = quantize_elements(c);

    b[QUANTIZE_X] = kernel_in("x", KERNEL_BF16, n);
    b[QUANTIZE_Q] =
        kernel_out("q", quantize_is_fp8(c) ? KERNEL_E4M3 : KERNEL_I8, n);
    b[QUANTIZE_SCALES] = kernel_out("scales", KERNEL_F32, groups(c));
    return 3;
}

/* Each element is read once and written once, even where one scale for all
 * makes a variant read it twice. */
static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t n = (int64_t)quantize_elements(c);

    m->flop = 0;
    m->bytes_read = 2 * n;
    m->bytes_written = n + 4 * (int64_t)groups(c);
    m->formula = "2 B read and 1 B written per element, 4 B written per scale";
    m->unit = NULL;
    m->level = "hbm";
}

/* --- the reference --- */

/* The group of the last output: neighbouring outputs share it. */
struct group {
    size_t index;
    double top;
    bool known;
};

/* No input is larger than 1 in magnitude, so the search ends at the first that
 * is 1. */
static double group_top(const struct kernel_case *c, uint64_t seed, size_t g,
                        struct group *last)
{
    const size_t length = quantize_group(c);

    if (last->known && last->index == g)
        return last->top;
    *last = (struct group){.index = g, .known = true};
    for (size_t i = g * length; i < (g + 1) * length && last->top < 1; i++)
        last->top =
            fmax(last->top, fabs((double)input_bf16(seed, QUANTIZE_X, i)));
    return last->top;
}

/* Half the distance between two neighbouring numbers of the format around v. */
static double half_step(bool fp8, double v)
{
    int exponent;

    if (!fp8)
        return 0.5;
    frexp(v, &exponent); /* |v| = f 2^exponent, f in [1/2, 1) */
    /* three bits behind the leading one; below 2^-6 steps are all alike */
    return ldexp(1, (v != 0 && exponent > -5 ? exponent : -5) - 5);
}

/* The magnitude is the error that tolerance() allows. */
static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t count, double *value,
                   double *magnitude)
{
    const size_t n = quantize_elements(c), length = quantize_group(c);
    const bool fp8 = quantize_is_fp8(c);
    const double most = fp8 ? 448 : 127;
    struct group last = {.known = false};

    for (size_t k = 0; k < count; k++) {
        const bool is_scale = idx[k] >= n;
        const size_t g = is_scale ? idx[k] - n : idx[k] / length;
        const double top = group_top(c, seed, g, &last);

        if (is_scale) {
            value[k] = top > 0 ? top / most : 1;
            magnitude[k] = 0x1p-22 * value[k];
            continue;
        }
        value[k] = top > 0 ? (double)input_bf16(seed, QUANTIZE_X, idx[k]) *
                                 (most / top)
                           : 0;
        magnitude[k] = half_step(fp8, value[k]) + 0x1p-22 * fabs(value[k]);
    }
}

/* The search for a group's maximum ends early: one element in 256 has the
 * largest magnitude that an input can have. */
static size_t terms(const struct kernel_case *c)
{
    const size_t length = quantize_group(c);

    return length < 1024 ? length : 1024;
}

/*
 * Let a be the group's maximum. The byte must be the number of the format
 * nearest to the exact x top / a: at most half a step away. Before that
 * rounding, f32 rounds the factor or scale, and their product or quotient. They
 * move the value by 3 2^-24 of it, which is less than 2^-22. So a value that
 * close to the middle of two neighbours may go to either. In the middle itself,
 * cvt.rn and rint() go to the even one. A scale is one division in f32.
 */
static double tolerance(const struct kernel_case *c, const char **why)
{
    (void)c;
    *why = "half a step of the format around the exact scaled value and 2^-22 "
           "of it for the scale's rounding; 2^-22 of a scale";
    return 1;
}

/* --- cases --- */

#define CASE(format, scale, r, n, use) \
    {                                  \
        {{"format", 0, format},        \
         {"scale", 0, scale},          \
         {"rows", r, NULL},            \
         {"cols", n, NULL}},           \
            4, KERNEL_BF16, use        \
    }
#define BOTH(scale, r, n, use) \
    CASE("e4m3", scale, r, n, use), CASE("i8", scale, r, n, use)
#define COLD KERNEL_MEASURE_CUDA | KERNEL_COLD
#define ON_CPU KERNEL_CHECK | KERNEL_MEASURE_CPU | KERNEL_COLD

static const struct kernel_case cases[] = {
    /* one element; odd rows; around a vector, a pair of them, the vectors of a
       block, and the longest row that registers hold */
    BOTH("row", 1, 1, KERNEL_CHECK),
    BOTH("row", 33, 7, KERNEL_CHECK),
    BOTH("row", 5, 8, KERNEL_CHECK),
    BOTH("row", 129, 24, KERNEL_CHECK),
    BOTH("row", 257, 136, KERNEL_CHECK),
    BOTH("row", 9, 2047, KERNEL_CHECK),
    BOTH("row", 9, 2056, KERNEL_CHECK),
    BOTH("row", 7, 4104, KERNEL_CHECK),
    BOTH("row", 131, 8192, KERNEL_CHECK),
    BOTH("row", 3, 16384, KERNEL_CHECK),
    BOTH("row", 3, 16400, KERNEL_CHECK),
    BOTH("row", 2, 100003, KERNEL_CHECK),
    BOTH("group128", 1, 128, KERNEL_CHECK),
    BOTH("group128", 33, 384, KERNEL_CHECK),
    BOTH("group128", 1001, 1280, KERNEL_CHECK),
    BOTH("tensor", 1, 1, KERNEL_CHECK),
    BOTH("tensor", 3, 77, KERNEL_CHECK),
    BOTH("tensor", 8, 1024, KERNEL_CHECK),
    BOTH("tensor", 1001, 1003, KERNEL_CHECK),
    BOTH("tensor", 1024, 2056, KERNEL_CHECK),
    CASE("e4m3", "row", 512, 2048, ON_CPU),
    CASE("i8", "group128", 512, 2048, ON_CPU),
    /* 16 Ki tokens of a wide model; INT8 with the width of a smaller one */
    CASE("e4m3", "row", 16384, 8192, COLD),
    CASE("i8", "row", 32768, 4096, COLD),
    CASE("e4m3", "row", 2048, 4096, COLD),
    CASE("e4m3", "group128", 16384, 8192, COLD),
    CASE("i8", "group128", 32768, 4096, COLD),
    CASE("e4m3", "tensor", 16384, 8192, COLD),
};

static bool by_row(const struct kernel_case *c)
{
    return quantize_scale_of(c) == QUANTIZE_ROW;
}

static bool by_group(const struct kernel_case *c)
{
    return quantize_scale_of(c) == QUANTIZE_GROUP128;
}

static bool by_tensor(const struct kernel_case *c)
{
    return quantize_scale_of(c) == QUANTIZE_TENSOR;
}

/* Small cases are not worth compiling. */
static bool is_for_peer(const struct kernel_case *c)
{
    return quantize_elements(c) >= 2048 * 4096;
}

static bool is_for_triton(const struct kernel_case *c)
{
    return is_for_peer(c) && by_row(c) && quantize_is_fp8(c);
}

TORCH_PEERS(quantize)
TRITON_PEER(quantize)

LAUNCHER(quantize_two);
SCRATCH(quantize_two_scratch);
LAUNCHER(quantize_row);
LAUNCHER(quantize_packed);
LAUNCHER(quantize_wide);
LAUNCHER(quantize_ahead);
LAUNCHER(quantize_group_of_128);
LAUNCHER(quantize_back);
SCRATCH(quantize_back_scratch);
LAUNCHER(quantize_kept);
SCRATCH(quantize_kept_scratch);
C_LAUNCHER(quantize_c_scalar);
C_LAUNCHER(quantize_c_simd);

static const struct kernel_variant variants[] = {
    {
        .id = "c_scalar",
        .title = "plain C loop",
        .idea = "Look for the largest, then scale and round one element "
                "after the other, on one CPU thread.",
        .where = KERNEL_CPU,
        .file = "kernels/quantize/c_scalar.c",
        .launch = quantize_c_scalar,
    },
    {
        .id = "c_simd",
        .title = "C, vectors and threads",
        .idea = "Maxima on the bits of bf16, rounding by an addition, no "
                "branches, and every core takes a share of the groups.",
        .where = KERNEL_CPU,
        .file = "kernels/quantize/c_simd.c",
        .launch = quantize_c_simd,
    },
    {
        .id = "two",
        .title = "two passes",
        .idea = "One kernel finds the largest magnitudes, the next reads "
                "everything again and converts it.",
        .where = KERNEL_CUDA,
        .file = "kernels/quantize/two.cu",
        .scratch_bytes = quantize_two_scratch,
        .launch = quantize_two,
    },
    {
        .id = "row",
        .title = "row in registers",
        .idea = "A block holds its row until the maximum is known, so that it "
                "is read once.",
        .where = KERNEL_CUDA,
        .file = "kernels/quantize/row.cu",
        .supports = by_row,
        .launch = quantize_row,
    },
    {
        .id = "packed",
        .title = "16-byte stores",
        .idea = "Neighbouring lanes trade halves, so that each stores sixteen "
                "bytes at once.",
        .where = KERNEL_CUDA,
        .file = "kernels/quantize/packed.cu",
        .supports = by_row,
        .launch = quantize_packed,
    },
    {
        .id = "wide",
        .title = "two vectors a thread",
        .idea = "A block has as many threads as its row needs with two vectors "
                "each, so that all warps find room.",
        .where = KERNEL_CUDA,
        .file = "kernels/quantize/wide.cu",
        .supports = by_row,
        .launch = quantize_wide,
    },
    {
        .id = "ahead",
        .title = "a row further on asked for",
        .idea = "The row that lies 1.5 MiB further on is fetched into L2, and "
                "nobody waits for it.",
        .where = KERNEL_CUDA,
        .file = "kernels/quantize/ahead.cu",
        .supports = by_row,
        .launch = quantize_ahead,
    },
    {
        .id = "group",
        .title = "128 elements in half a warp",
        .idea = "Sixteen lanes share a scale and find it with four shuffles; "
                "there is no barrier.",
        .where = KERNEL_CUDA,
        .file = "kernels/quantize/group.cu",
        .supports = by_group,
        .launch = quantize_group_of_128,
    },
    {
        .id = "back",
        .title = "second pass backwards",
        .idea = "With one scale for all, the second pass begins where the "
                "first ended: there L2 still has it.",
        .where = KERNEL_CUDA,
        .file = "kernels/quantize/back.cu",
        .supports = by_tensor,
        .scratch_bytes = quantize_back_scratch,
        .launch = quantize_back,
    },
    {
        .id = "kept",
        .title = "backwards, with room in L2",
        .idea = "The first pass marks what is not wanted again, so that L2 "
                "keeps what the second begins with.",
        .where = KERNEL_CUDA,
        .file = "kernels/quantize/kept.cu",
        .supports = by_tensor,
        .scratch_bytes = quantize_kept_scratch,
        .launch = quantize_kept,
    },
    TORCH_EAGER(quantize, is_for_peer,
                "float, abs, amax, div and a converting copy, each a kernel "
                "of its own."),
    TORCH_COMPILED(quantize, is_for_peer,
                   "The same expression, fused by the compiler in its default "
                   "mode."),
    TRITON_ROW(quantize, is_for_triton,
               "A program holds a row, a power of two wide; a program for "
               "each row or resident ones, whichever was faster when tried."),
};

LAUNCHER(quantize_ahead_swept);

/* Rows may come in any order; kernels/knob.h says how to add one. */
const struct kernel_knob quantize_knobs[] = {
    {
        .variant = "ahead",
        .name = "distance",
        .unit = "bytes",
        .chosen = 3 << 19,
        .value = {1 << 16, 1 << 18, 1 << 20, 3 << 19, 1 << 22, 1 << 24},
        .file = "kernels/quantize/ahead_distance.cu",
        .launch = quantize_ahead_swept,
    },
    {0},
};

const struct kernel_family quantize_family = {
    .id = "quantize",
    .title = "Quantisation",
    .problem = "Turn a matrix of bf16 into bytes, E4M3 or INT8, with a scale "
               "for the whole tensor, for each row or for each 128 elements, "
               "chosen so that the largest magnitude becomes the largest "
               "number of the format. The scale must be known before the "
               "first element can be converted, and memory should be read "
               "only once.",
    .metric = "bandwidth",
    .file = "kernels/quantize/family.c",
    .cases = cases,
    .ncases = sizeof cases / sizeof cases[0],
    .variants = variants,
    .nvariants = sizeof variants / sizeof variants[0],
    .buffers = buffers,
    .model = model,
    .expect = expect,
    .terms = terms,
    .tolerance = tolerance,
    .finite_only = "a group with NaN or an infinity in it has no scale",
};

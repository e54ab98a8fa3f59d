/*
 * kernels/elementwise/math.cuh - the functions themselves, in f32, twice:
 * as the math library has them, and as few instructions as bf16 needs.
 *
 * The rate of a copy leaves an SM about 30 instructions for each element (4
 * bytes at 4.3 TB/s over 132 SMs of 128 lanes). erff() alone takes most of
 * them. But GELU is v Φ(v), and the normal distribution function is a logistic
 * one of a bent argument:
 *
 *     Φ(v) = 1 / (1 + exp(-L(v))),   L(v) = log(Φ(v) / Φ(-v)),
 *
 * where L is odd and smooth, so a short polynomial in v² follows it; cut
 * after v³ it *is* the tanh form of GELU. MATH_LOGIT holds five terms,
 * fitted for the smallest relative error of Φ (Lawson's iteration, against
 * erfc in 40 digits): 2^-11.6 of Φ(v) + 2^-13 on |v| < 7, a twelfth of the
 * rounding to bf16. Beyond, the last term takes it to 0 and to 1. Two
 * operations of the special function unit, eight on the others.
 */
#ifndef KERNELS_ELEMENTWISE_MATH_CUH
#define KERNELS_ELEMENTWISE_MATH_CUH

#include "kernels/bf16.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/ptx.cuh"

#define MATH_FN static __device__ __forceinline__

/* Which of the two: a template argument, as is the operation. */
enum math_way {
    MATH_LIBRARY, /* erff(), tanhf(), expf(), division */
    MATH_SHORT,   /* logistic functions from two special operations */
    MATH_TANH,    /* the tanh form by one special operation */
};

#define MATH_LOG2E 1.4426950408889634

/* v / (1 + 2^-t): t in powers of two. For t → ∞ v, for t → -∞ zero. */
MATH_FN float math_logistic(float v, float t)
{
    return v * ptx_reciprocal(1 + ptx_exp2(-t));
}

MATH_FN float math_gelu_library(float v)
{
    return 0.5f * v * (1 + erff(v * 0.70710678f));
}

// ANCHOR: inner
MATH_FN float math_gelu_short(float v)
{
    const float s = v * v;
    float l = (float)(6.572375844845995e-07 * MATH_LOG2E);

    l = l * s + (float)(-1.7634821388152316e-05 * MATH_LOG2E);
    l = l * s + (float)(-0.0006343527209497346 * MATH_LOG2E);
    l = l * s + (float)(0.07416542180252864 * MATH_LOG2E);
    l = l * s + (float)(1.5945902087963781 * MATH_LOG2E);
    return math_logistic(v, l * v);
}
// ANCHOR_END: inner

/* What tanh sees in the tanh form. */
MATH_FN float math_tanh_argument(float v)
{
    const float f = (float)ELEMENTWISE_TANH;

    return v * (f + (float)(ELEMENTWISE_TANH * ELEMENTWISE_CUBE) * (v * v));
}

template <math_way W> MATH_FN float math_gelu(float v)
{
    return W == MATH_LIBRARY ? math_gelu_library(v) : math_gelu_short(v);
}

template <math_way W> MATH_FN float math_gelu_tanh(float v)
{
    const float t = math_tanh_argument(v), half = 0.5f * v;

    if (W == MATH_LIBRARY)
        return half * (1 + tanhf(t));
    if (W == MATH_TANH)
        return half + half * __tanhf(t);
    return math_logistic(v, 2 * (float)MATH_LOG2E * t); /* 1 + tanh, halved */
}

template <math_way W> MATH_FN float math_silu(float v)
{
    return W == MATH_LIBRARY ? v / (1 + expf(-v))
                             : math_logistic(v, (float)MATH_LOG2E * v);
}

/* Element of y before dropout; a is of buffer 1, b of buffer 2. */
template <elementwise_op OP, math_way W>
MATH_FN float math_apply(float a, float b)
{
    if (OP == ELEMENTWISE_SWIGLU)
        return math_silu<W>(a) * b;
    return OP == ELEMENTWISE_GELU_TANH ? math_gelu_tanh<W>(a + b)
                                       : math_gelu<W>(a + b);
}

/* What dropout makes of v, if it is the operation and `random`, sixteen bits,
 * allows. */
template <elementwise_op OP> MATH_FN float math_drop(float v, uint32_t random)
{
    if (OP != ELEMENTWISE_DROPOUT)
        return v;
    return random >= ELEMENTWISE_DROP ? v * ELEMENTWISE_KEPT : 0;
}

/* ---- eight elements in a vector of 16 bytes ---- */

enum { MATH_WIDTH = 8 };

/* The vectors that n elements begin. */
static inline uint32_t math_vectors(size_t n)
{
    return (uint32_t)((n + MATH_WIDTH - 1) / MATH_WIDTH);
}

/* Elements i and i + 1; i is even. */
template <elementwise_op OP, math_way W>
MATH_FN uint32_t math_word(uint32_t a, uint32_t b, uint32_t i)
{
    const uint32_t bits =
        OP == ELEMENTWISE_DROPOUT ? elementwise_bits(i / 2) : 0;
    const float first = math_apply<OP, W>(bf16_first(a), bf16_first(b));
    const float second = math_apply<OP, W>(bf16_second(a), bf16_second(b));

    return bf16_pair(math_drop<OP>(first, bits & 0xffff),
                     math_drop<OP>(second, bits >> 16));
}

/* The eight elements of y from element i on. */
template <elementwise_op OP, math_way W>
MATH_FN uint4 math_vector(uint4 a, uint4 b, uint32_t i)
{
    return make_uint4(
        math_word<OP, W>(a.x, b.x, i), math_word<OP, W>(a.y, b.y, i + 2),
        math_word<OP, W>(a.z, b.z, i + 4), math_word<OP, W>(a.w, b.w, i + 6));
}

/* The element of buffer 2 that goes with element i. */
template <elementwise_op OP>
MATH_FN uint32_t math_partner(uint32_t i, uint32_t cols)
{
    return OP == ELEMENTWISE_SWIGLU ? i : i % cols;
}

/* True if whole vectors of x meet whole vectors of buffer 2. */
MATH_FN bool math_aligned(uint32_t cols)
{
    return cols % MATH_WIDTH == 0;
}

/* v, dropped or not, as element i of y. */
template <elementwise_op OP> MATH_FN uint16_t math_one(float v, uint32_t i)
{
    if (OP == ELEMENTWISE_DROPOUT)
        v = elementwise_keeps(i) ? v * ELEMENTWISE_KEPT : 0;
    return (uint16_t)bf16_pair(v, v);
}

/* Up to eight elements from element i on, one by one: where rows are no
 * multiples of a vector, and at the end of the array. */
template <elementwise_op OP, math_way W>
MATH_FN void math_singly(uint16_t *y, const uint16_t *a, const uint16_t *b,
                         uint32_t i, uint32_t n, uint32_t cols)
{
#pragma unroll 1
    for (uint32_t j = i; j < n && j < i + MATH_WIDTH; j++) {
        const uint32_t k = math_partner<OP>(j, cols);
        const float v = math_apply<OP, W>(bf16_value(a[j]), bf16_value(b[k]));

        y[j] = math_one<OP>(v, j);
    }
}

/* ---- a tile of 16-byte vectors, VECTORS for each of THREADS threads ---- */

/*
 * Whether the block has no whole tile of aligned vectors, which is true of the
 * last block and of odd row lengths. If so it does its elements one by one.
 */
template <elementwise_op OP, math_way W, int THREADS, int VECTORS>
MATH_FN bool math_odd_tile(uint16_t *y, const uint16_t *a, const uint16_t *b,
                           uint32_t n, uint32_t cols)
{
    constexpr int TILE = THREADS * VECTORS;
    const uint32_t first = blockIdx.x * TILE + threadIdx.x;

    if (math_aligned(cols) && (blockIdx.x + 1) * TILE <= n / MATH_WIDTH)
        return false;
    for (int k = 0; k < VECTORS; k++)
        math_singly<OP, W>(y, a, b, (first + k * THREADS) * MATH_WIDTH, n,
                           cols);
    return true;
}

/* Computes the block's tile; each thread has all its loads in flight first. */
template <elementwise_op OP, math_way W, int THREADS, int VECTORS>
MATH_FN void math_tile(uint16_t *y, const uint16_t *a, const uint16_t *b,
                       uint32_t cols)
{
    const uint32_t first = blockIdx.x * (THREADS * VECTORS) + threadIdx.x;
    uint4 u[VECTORS], w[VECTORS];

    for (int k = 0; k < VECTORS; k++) {
        const uint32_t i = first + k * THREADS;

        u[k] = ((const uint4 *)a)[i];
        w[k] = ((const uint4 *)b)[math_partner<OP>(i, cols / MATH_WIDTH)];
    }
    for (int k = 0; k < VECTORS; k++) {
        const uint32_t i = first + k * THREADS;

        ((uint4 *)y)[i] = math_vector<OP, W>(u[k], w[k], i * MATH_WIDTH);
    }
}

/* ---- on the host ---- */

/* The operation as a type, for f(math_constant<OP>()). */
template <elementwise_op OP> struct math_constant {
    static constexpr elementwise_op op = OP;
};

/* Calls f with the case's operation as a constant. */
template <typename F>
static int math_dispatch(const struct kernel_case *c, const F &f)
{
    switch (elementwise_op_of(c)) {
    case ELEMENTWISE_GELU:
        return f(math_constant<ELEMENTWISE_GELU>());
    case ELEMENTWISE_GELU_TANH:
        return f(math_constant<ELEMENTWISE_GELU_TANH>());
    case ELEMENTWISE_SWIGLU:
        return f(math_constant<ELEMENTWISE_SWIGLU>());
    case ELEMENTWISE_DROPOUT:
        break;
    }
    return f(math_constant<ELEMENTWISE_DROPOUT>());
}

/* The arguments of a launcher, in the types of the kernels. */
struct math_operands {
    uint16_t *y;
    const uint16_t *a, *b;
    uint32_t n, cols;
    cudaStream_t stream;
};

static inline struct math_operands
math_operands_of(const struct kernel_case *c, const struct kernel_env *env,
                 void *const *buf)
{
    struct math_operands o;

    o.y = (uint16_t *)buf[0];
    o.a = (const uint16_t *)buf[1];
    o.b = (const uint16_t *)buf[2];
    o.cols = (uint32_t)kernel_num(c, "cols");
    o.n = (uint32_t)kernel_num(c, "rows") * o.cols;
    o.stream = (cudaStream_t)env->stream;
    return o;
}

#endif

/*
 * elementwise/chain - a kernel for each operation, as a framework in eager mode
 * runs them.
 *
 * Each step alone is as good as it gets: 16-byte accesses, and no byte too
 * many. But the steps meet in memory: what one writes, the next reads back. For
 * n elements of b bytes that makes 4nb in place of 2nb for bias and GELU, 5nb
 * in place of 3nb for SwiGLU, 6nb in place of 2nb with dropout. The
 * intermediate is rounded to bf16, as it is in a framework.
 *
 * Predicted before any run: half of what a copy's bandwidth allows for the
 * bytes of the fused form, a little less for what erff() costs.
 */
#include "kernels/elementwise/math.cuh"

enum { THREADS = 128, VECTORS = 2, TILE = THREADS * VECTORS };

/* The steps. Each makes an element of its first operand and, if it has one,
 * of its second. */
enum step { ADD_BIAS, GELU, GELU_TANH, SILU, MULTIPLY, DROP };

template <step S> static __device__ float apply(float u, float w, uint32_t i)
{
    switch (S) {
    case ADD_BIAS:
        return u + w;
    case GELU:
        return math_gelu<MATH_LIBRARY>(u);
    case GELU_TANH:
        return math_gelu_tanh<MATH_LIBRARY>(u);
    case SILU:
        return math_silu<MATH_LIBRARY>(u);
    case MULTIPLY:
        return u * w;
    case DROP:
        break;
    }
    return elementwise_keeps(i) ? u * ELEMENTWISE_KEPT : 0;
}

/* The vector of the second operand, if the step has one. */
template <step S>
static __device__ uint4 second(const uint16_t *w, uint32_t i, uint32_t cols)
{
    if (S == ADD_BIAS)
        return ((const uint4 *)w)[i % (cols / MATH_WIDTH)];
    return S == MULTIPLY ? ((const uint4 *)w)[i] : make_uint4(0, 0, 0, 0);
}

template <step S>
static __device__ uint32_t word(uint32_t u, uint32_t w, uint32_t i)
{
    return bf16_pair(apply<S>(bf16_first(u), bf16_first(w), i),
                     apply<S>(bf16_second(u), bf16_second(w), i + 1));
}

template <step S>
static __device__ void singly(uint16_t *y, const uint16_t *u, const uint16_t *w,
                              uint32_t i, uint32_t n, uint32_t cols)
{
#pragma unroll 1
    for (uint32_t j = i; j < n && j < i + MATH_WIDTH; j++) {
        float b = 0;

        if (S == ADD_BIAS || S == MULTIPLY)
            b = bf16_value(w[S == ADD_BIAS ? j % cols : j]);
        b = apply<S>(bf16_value(u[j]), b, j);
        y[j] = (uint16_t)bf16_pair(b, b);
    }
}

template <step S>
static __global__ void one_step(uint16_t *y, const uint16_t *u,
                                const uint16_t *w, uint32_t n, uint32_t cols)
{
    const uint32_t first = blockIdx.x * TILE + threadIdx.x;
    uint4 p[VECTORS], q[VECTORS];

    if (!math_aligned(cols) || (blockIdx.x + 1) * TILE > n / MATH_WIDTH) {
        for (int k = 0; k < VECTORS; k++)
            singly<S>(y, u, w, (first + k * THREADS) * MATH_WIDTH, n, cols);
        return;
    }
    for (int k = 0; k < VECTORS; k++) {
        p[k] = ((const uint4 *)u)[first + k * THREADS];
        q[k] = second<S>(w, first + k * THREADS, cols);
    }
    for (int k = 0; k < VECTORS; k++) {
        const uint32_t i = first + k * THREADS, e = i * MATH_WIDTH;

        ((uint4 *)y)[i] = make_uint4(
            word<S>(p[k].x, q[k].x, e), word<S>(p[k].y, q[k].y, e + 2),
            word<S>(p[k].z, q[k].z, e + 4), word<S>(p[k].w, q[k].w, e + 6));
    }
}

/* One intermediate of n elements. */
extern "C" size_t elementwise_chain_scratch(const struct kernel_case *c,
                                            const struct kernel_env *)
{
    return 2 * (size_t)kernel_num(c, "rows") * (size_t)kernel_num(c, "cols");
}

extern "C" int elementwise_chain(const struct kernel_case *c,
                                 const struct kernel_env *env, void *const *buf,
                                 void *)
{
    const struct math_operands o = math_operands_of(c, env, buf);
    uint16_t *t = (uint16_t *)buf[3];
    const uint32_t grid = (math_vectors(o.n) + TILE - 1) / TILE;

    // ANCHOR: inner
#define STEP(what, to, from, with) \
    one_step<what><<<grid, THREADS, 0, o.stream>>>(to, from, with, o.n, o.cols)
    switch (elementwise_op_of(c)) {
    case ELEMENTWISE_GELU:
        STEP(ADD_BIAS, t, o.a, o.b);
        STEP(GELU, o.y, t, NULL);
        break;
    case ELEMENTWISE_GELU_TANH:
        STEP(ADD_BIAS, t, o.a, o.b);
        STEP(GELU_TANH, o.y, t, NULL);
        break;
    case ELEMENTWISE_SWIGLU:
        STEP(SILU, t, o.a, NULL);
        STEP(MULTIPLY, o.y, t, o.b);
        break;
    case ELEMENTWISE_DROPOUT:
        STEP(ADD_BIAS, t, o.a, o.b);
        STEP(GELU, t, t, NULL);
        STEP(DROP, o.y, t, NULL);
        break;
    }
#undef STEP
    // ANCHOR_END: inner
    return cudaGetLastError();
}

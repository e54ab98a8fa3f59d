/*
 * elementwise/tanh - the tanh form with one instruction of the special function
 * unit.
 *
 * GELU's other definition has tanh for erf, and the special function unit
 * has tanh as one instruction, good to 2^-11 of tanh. Is that
 * enough for bf16, good to 2^-8? Where v is positive, it is. Where v is
 * negative, 1 + tanh is the small difference of two large numbers, and
 * the error is 2^-12 of v, not of the result: the tolerance of
 * op=bias_gelu_tanh allows for that, and the checks record how much of it
 * each variant takes.
 *
 * Predicted before any run: no faster than `logistic`. One special operation
 * and four others per element less make no difference once memory sets the
 * pace.
 */
#include "kernels/elementwise/math.cuh"

enum { THREADS = 128, VECTORS = 2, TILE = THREADS * VECTORS };

// ANCHOR: inner
static __global__ void by_tanh(uint16_t *y, const uint16_t *a,
                               const uint16_t *b, uint32_t n, uint32_t cols)
{
    if (math_odd_tile<ELEMENTWISE_GELU_TANH, MATH_TANH, THREADS, VECTORS>(
            y, a, b, n, cols))
        return;
    math_tile<ELEMENTWISE_GELU_TANH, MATH_TANH, THREADS, VECTORS>(y, a, b,
                                                                  cols);
}
// ANCHOR_END: inner

extern "C" int elementwise_tanh(const struct kernel_case *c,
                                const struct kernel_env *env, void *const *buf,
                                void *)
{
    const struct math_operands o = math_operands_of(c, env, buf);
    const uint32_t grid = (math_vectors(o.n) + TILE - 1) / TILE;

    by_tanh<<<grid, THREADS, 0, o.stream>>>(o.y, o.a, o.b, o.n, o.cols);
    return cudaGetLastError();
}

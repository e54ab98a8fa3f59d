/*
 * {name}/simple - one output per thread.
 *
 * Neighbouring threads read neighbouring elements of B, and the same element of
 * A. Nothing is used twice from a register.
 */
#include "kernels/kernel.h"

enum { SIDE = 16 }; /* of a block */

// ANCHOR: inner
static __global__ void simple(float *out, const float *a, const float *b,
                              size_t m, size_t n, size_t depth)
{
    const size_t i = blockIdx.y * (size_t)SIDE + threadIdx.y;
    const size_t j = blockIdx.x * (size_t)SIDE + threadIdx.x;
    float sum = 0;

    if (i >= m || j >= n)
        return;
    for (size_t k = 0; k < depth; k++)
        sum += a[i * depth + k] * b[k * n + j];
    out[i * n + j] = sum;
}
// ANCHOR_END: inner

extern "C" int {name}_simple(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *)
{
    const size_t m = (size_t)kernel_num(c, "m"), n = (size_t)kernel_num(c, "n");
    const dim3 grid((unsigned)((n + SIDE - 1) / SIDE),
                    (unsigned)((m + SIDE - 1) / SIDE));

    simple<<<grid, dim3(SIDE, SIDE), 0, (cudaStream_t)env->stream>>>(
        (float *)buf[2], (const float *)buf[0], (const float *)buf[1], m, n,
        (size_t)kernel_num(c, "k"));
    return (int)cudaGetLastError();
}

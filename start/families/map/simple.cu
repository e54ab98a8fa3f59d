/*
 * {name}/simple - one element per thread.
 *
 * Thread i handles element i, so a warp touches 128 contiguous bytes of each
 * array, and every access is coalesced.
 */
#include "kernels/kernel.h"

enum { THREADS = 256 };

// ANCHOR: inner
static __global__ void simple(float *out, const float *x, size_t n)
{
    const size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x;

    if (i < n)
        out[i] = 2 * x[i] + 1;
}
// ANCHOR_END: inner

extern "C" int {name}_simple(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *)
{
    const size_t n = (size_t)kernel_num(c, "n");
    const unsigned grid = (unsigned)((n + THREADS - 1) / THREADS);

    simple<<<grid, THREADS, 0, (cudaStream_t)env->stream>>>(
        (float *)buf[0], (const float *)buf[1], n);
    return (int)cudaGetLastError();
}

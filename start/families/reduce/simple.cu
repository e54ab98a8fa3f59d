/*
 * {name}/simple - one block.
 *
 * One block keeps one multiprocessor busy. The next step is a block for each of
 * them.
 */
#include "kernels/kernel.h"

enum { THREADS = 1024 };

// ANCHOR: inner
static __global__ void simple(float *out, const float *x, size_t n)
{
    __shared__ float part[THREADS];
    float sum = 0;

    for (size_t i = threadIdx.x; i < n; i += THREADS)
        sum += x[i];
    part[threadIdx.x] = sum;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if ((int)threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        *out = part[0];
}
// ANCHOR_END: inner

extern "C" int {name}_simple(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *)
{
    simple<<<1, THREADS, 0, (cudaStream_t)env->stream>>>(
        (float *)buf[0], (const float *)buf[1], (size_t)kernel_num(c, "n"));
    return (int)cudaGetLastError();
}

/*
 * ceilings/atomic - atomic additions. They are `red`, which returns nothing,
 * and written as assembly, so that the compiler cannot add up the lanes of a
 * warp first.
 */
#include "kernels/kernel.h"

enum { THREADS = 256 };

static __global__ void __launch_bounds__(THREADS)
    add(float *sums, const float *x, size_t n, size_t m)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < n)
        asm volatile("red.global.add.f32 [%0], %1;" ::"l"(sums + i % m),
                     "f"(x[i])
                     : "memory");
}

extern "C" int ceiling_atomic_add(const struct kernel_case *c,
                                  const struct kernel_env *env,
                                  void *const *buf, void *)
{
    const size_t n = (size_t)kernel_num(c, "n"), m = (size_t)kernel_num(c, "m");
    const cudaStream_t s = (cudaStream_t)env->stream;
    const int rc = cudaMemsetAsync(buf[0], 0, m * sizeof(float), s);

    if (rc)
        return rc;
    add<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, s>>>(
        (float *)buf[0], (const float *)buf[1], n, m);
    return cudaGetLastError();
}

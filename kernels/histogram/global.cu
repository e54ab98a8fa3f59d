/*
 * histogram/global - global atomics.
 *
 * The shortest correct program: a thread per key, and each adds one to its
 * key's bin in global memory. All bins lie in the L2, and each of its slices
 * does a few additions per cycle. 256 bins are 32 sectors, so few slices have
 * all the work. The kernel is right for any number of bins, and faster the more
 * there are.
 *
 * Predicted before any run: 3-10 % of the bandwidth, and far less when all
 * keys are the same.
 */
#include "kernels/histogram/histogram.cuh"

enum { THREADS = 256 };

// ANCHOR: inner
static __global__ void count(unsigned *counts, const int32_t *keys, size_t n)
{
    const size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x;

    if (i < n)
        atomicAdd(&counts[keys[i]], 1u);
}
// ANCHOR_END: inner

extern "C" int histogram_global(const struct kernel_case *c,
                                const struct kernel_env *env, void *const *buf,
                                void *)
{
    const size_t n = (size_t)kernel_num(c, "n");
    const cudaError_t err = histogram_zero(c, env, buf[0]);

    if (err != cudaSuccess)
        return err;
    count<<<(unsigned)histogram_pieces(n, THREADS), THREADS, 0,
            (cudaStream_t)env->stream>>>((unsigned *)buf[0],
                                         (const int32_t *)buf[1], n);
    return cudaGetLastError();
}

/*
 * reduce/atomic - contended atomics.
 *
 * The shortest correct program: a thread per element, and each adds its
 * element to the result. Additions to one address happen one after the
 * other in the L2 slice that owns it, and all other slices idle, so the time
 * is n times the cost of one atomic.
 *
 * Predicted before any run: about 600 times the time that the bytes take.
 * Not offered above 2^24 elements, where it would only be slower (and a
 * single running sum in f32 less and less exact).
 */
#include "kernels/reduce/reduce.h"

enum { THREADS = 256 };

// ANCHOR: inner
static __global__ void add(float *sum, const float *x, size_t n)
{
    const size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x;

    if (i < n)
        atomicAdd(sum, x[i]);
}
// ANCHOR_END: inner

extern "C" int reduce_atomic(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const size_t n = (size_t)kernel_num(c, "n");
    cudaStream_t stream = (cudaStream_t)env->stream;
    float *sum = (float *)buf[0];
    const cudaError_t err = cudaMemsetAsync(sum, 0, sizeof *sum, stream);

    if (err != cudaSuccess)
        return err;
    add<<<(unsigned)reduce_pieces(n, THREADS), THREADS, 0, stream>>>(
        sum, (const float *)buf[1], n);
    return cudaGetLastError();
}

/*
 * histogram/shared - bins in shared memory.
 *
 * Each block counts into bins of its own in shared memory and adds them to
 * the result once, at its end. Blocks are few and stay: as many as fit, each
 * with a share of all keys. Shared memory has 32 banks, and a bank does
 * one addition a cycle, so a warp's 32 random keys take as many
 * cycles as the fullest bank has keys: between three and four.
 *
 * Predicted before any run: 25-45 %; one load of a few bytes at a time and
 * thread leaves memory idle.
 */
#include "kernels/histogram/histogram.cuh"

enum { THREADS = 512, BLOCKS_PER_SM = 4 };

template <class Key>
static __global__ void __launch_bounds__(THREADS)
    count(unsigned *counts, const Key *keys, size_t n, unsigned bins)
{
    extern __shared__ unsigned bin[];
    const size_t step = (size_t)gridDim.x * THREADS;

    histogram_clear<THREADS>(bin, bins);
    __syncthreads();
    // ANCHOR: inner
    for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < n;
         i += step)
        atomicAdd(&bin[keys[i]], 1u);
    // ANCHOR_END: inner
    __syncthreads();
    histogram_flush<THREADS>(counts, bin, bins);
}

template <class Key>
static int start(const struct kernel_case *c, const struct kernel_env *env,
                 void *const *buf)
{
    const size_t n = (size_t)kernel_num(c, "n");
    const unsigned bins = (unsigned)kernel_num(c, "bins");
    const size_t grid = histogram_min(histogram_pieces(n, THREADS),
                                      (size_t)env->sms * BLOCKS_PER_SM);
    const cudaError_t err = histogram_zero(c, env, buf[0]);

    if (err != cudaSuccess)
        return err;
    count<<<(unsigned)grid, THREADS, bins * sizeof(unsigned),
            (cudaStream_t)env->stream>>>((unsigned *)buf[0],
                                         (const Key *)buf[1], n, bins);
    return cudaGetLastError();
}

extern "C" int histogram_shared(const struct kernel_case *c,
                                const struct kernel_env *env, void *const *buf,
                                void *)
{
    return c->dtype == KERNEL_U8 ? start<uint8_t>(c, env, buf)
                                 : start<int32_t>(c, env, buf);
}

/*
 * histogram/aggregate - each thread counts runs of equal keys first.
 *
 * This is the classic cure for skewed keys. A thread counts the run of equal
 * keys that it holds in registers, and adds the length of the run once, when
 * another key comes. If all keys are equal, there are 16 or 64 times fewer
 * additions, the number of keys that a thread takes from a tile. If keys are
 * random, every key pays for a comparison in vain.
 *
 * Predicted before any run: slower than `vector` on random keys, much faster
 * on one key, if one key is a problem at all.
 */
#include "kernels/histogram/histogram.cuh"

enum { THREADS = 512, BLOCKS_PER_SM = 4 };

template <class Key>
static __global__ void __launch_bounds__(THREADS)
    count(unsigned *counts, const Key *keys, size_t n, unsigned bins)
{
    extern __shared__ unsigned bin[];

    histogram_clear<THREADS>(bin, bins);
    __syncthreads();
    // ANCHOR: inner
    unsigned run = 0, of = 0; /* `run` keys that equal `of`, not yet added */
    const auto add = [&](unsigned key) {
        if (key != of) {
            atomicAdd(&bin[of], run);
            run = 0;
            of = key;
        }
        run++;
    };
    const auto take = [&](const auto &v) { histogram_each(v, keys, add); };

    histogram_walk<THREADS>(keys, n, take, take, add);
    atomicAdd(&bin[of], run);
    // ANCHOR_END: inner
    __syncthreads();
    histogram_flush<THREADS>(counts, bin, bins);
}

template <class Key>
static int start(const struct kernel_case *c, const struct kernel_env *env,
                 void *const *buf)
{
    const unsigned bins = (unsigned)kernel_num(c, "bins");
    const unsigned grid = histogram_grid(c, env, THREADS, BLOCKS_PER_SM);
    const cudaError_t err = histogram_zero(c, env, buf[0]);

    if (err != cudaSuccess)
        return err;
    count<<<grid, THREADS, bins * sizeof(unsigned),
            (cudaStream_t)env->stream>>>((unsigned *)buf[0],
                                         (const Key *)buf[1],
                                         (size_t)kernel_num(c, "n"), bins);
    return cudaGetLastError();
}

extern "C" int histogram_aggregate(const struct kernel_case *c,
                                   const struct kernel_env *env,
                                   void *const *buf, void *)
{
    return c->dtype == KERNEL_U8 ? start<uint8_t>(c, env, buf)
                                 : start<int32_t>(c, env, buf);
}

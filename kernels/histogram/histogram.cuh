/*
 * kernels/histogram/histogram.cuh - what most kernels of the family do alike:
 * read the keys in vectors of 16 bytes, take a vector apart, clear bins, and
 * add a block's bins to the result.
 */
#ifndef KERNELS_HISTOGRAM_HISTOGRAM_CUH
#define KERNELS_HISTOGRAM_HISTOGRAM_CUH

#include "kernels/histogram/histogram.h"
#include "kernels/ptx.cuh"
#include "kernels/warp.h"

#define HISTOGRAM_FN static __device__ __forceinline__

enum { HISTOGRAM_VECTORS = 4 /* 16-byte loads in flight per thread */ };

/* Sixteen bytes of keys, read once. */
HISTOGRAM_FN uint4 histogram_load(const uint4 *v, uint64_t once)
{
    const float4 f = ptx_load_once((const float4 *)v, once);

    return make_uint4(__float_as_uint(f.x), __float_as_uint(f.y),
                      __float_as_uint(f.z), __float_as_uint(f.w));
}

/*
 * Calls f(key << SHIFT) for each key of a vector; the pointer says which type
 * they have. A byte is cut out and shifted at once: a shift and a mask.
 */
template <int SHIFT = 0, class F>
HISTOGRAM_FN void histogram_each(uint4 v, const int32_t *, F f)
{
    f(v.x << SHIFT);
    f(v.y << SHIFT);
    f(v.z << SHIFT);
    f(v.w << SHIFT);
}

template <int SHIFT = 0, class F>
HISTOGRAM_FN void histogram_each(uint4 v, const uint8_t *, F f)
{
    const unsigned word[4] = {v.x, v.y, v.z, v.w};

#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int right = -SHIFT; right < 32 - SHIFT; right += 8)
            f((right < 0 ? word[i] << -right : word[i] >> right) &
              0xffu << SHIFT);
}

/* All keys of several vectors. */
template <int SHIFT = 0, int N, class Key, class F>
HISTOGRAM_FN void histogram_each(const uint4 (&v)[N], const Key *type, F f)
{
#pragma unroll
    for (int k = 0; k < N; k++)
        histogram_each<SHIFT>(v[k], type, f);
}

/*
 * The blocks walk through the keys together, tile by tile, each thread with
 * VECTORS vectors in flight: whole(v) takes an array of those, in a tile in
 * which all threads of the block take part; rest(v) a vector of the partial
 * tile at the end; last(key) one of the few keys behind the last vector.
 */
template <int THREADS, int VECTORS = HISTOGRAM_VECTORS, class Key, class Whole,
          class Rest, class Last>
HISTOGRAM_FN void histogram_walk(const Key *keys, size_t n, Whole whole,
                                 Rest rest, Last last)
{
    constexpr int TILE = THREADS * VECTORS;
    constexpr int WIDTH = 16 / sizeof(Key); /* keys per vector */
    const uint4 *v = (const uint4 *)keys;
    const size_t nv = n / WIDTH, step = (size_t)gridDim.x * TILE;
    const uint64_t once = ptx_evict_first();
    size_t at = (size_t)blockIdx.x * TILE;

    for (; at + TILE <= nv; at += step) {
        uint4 in[VECTORS];

#pragma unroll
        for (int k = 0; k < VECTORS; k++)
            in[k] = histogram_load(v + at + k * THREADS + threadIdx.x, once);
        whole(in);
    }
    if (at >= nv && blockIdx.x != 0)
        return;
    for (size_t i = at + threadIdx.x; i < nv; i += THREADS)
        rest(v[i]);
    if (blockIdx.x == 0 && threadIdx.x < n % WIDTH)
        last((unsigned)keys[nv * WIDTH + threadIdx.x]);
}

/* Whole block; a barrier must follow. */
template <int THREADS>
HISTOGRAM_FN void histogram_clear(unsigned *word, unsigned words)
{
    for (unsigned i = threadIdx.x; i < words; i += THREADS)
        word[i] = 0;
}

/* Adds the block's bins to the result, after a barrier. */
template <int THREADS>
HISTOGRAM_FN void histogram_flush(unsigned *counts, const unsigned *bin,
                                  unsigned bins)
{
    for (unsigned b = threadIdx.x; b < bins; b += THREADS)
        if (bin[b] != 0)
            atomicAdd(&counts[b], bin[b]);
}

/* On the host: sets all bins of the result to 0, in the stream. */
static inline cudaError_t histogram_zero(const struct kernel_case *c,
                                         const struct kernel_env *env,
                                         void *counts)
{
    return cudaMemsetAsync(counts, 0,
                           (size_t)kernel_num(c, "bins") * sizeof(unsigned),
                           (cudaStream_t)env->stream);
}

/* On the host: a block for each tile, but at most per_sm of them each. */
static inline unsigned histogram_grid(const struct kernel_case *c,
                                      const struct kernel_env *env, int threads,
                                      int per_sm,
                                      int vectors = HISTOGRAM_VECTORS)
{
    const size_t bytes =
        (size_t)kernel_num(c, "n") * kernel_dtype_bytes(c->dtype);
    const size_t tile = (size_t)threads * (size_t)vectors * 16;
    const size_t most = (size_t)env->sms * (size_t)per_sm;

    return (unsigned)histogram_min(histogram_pieces(bytes, tile), most);
}

#endif

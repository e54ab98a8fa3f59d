/*
 * Flag and sum in one word.
 *
 * In `single` three trips to L2 follow one another: write the sum and wait
 * until it is visible, draw a ticket, read all sums. But what the last
 * block needs is only to know that a sum has arrived, and the sum can say
 * so itself: a 64-bit word holds the float and a flag, and 8 bytes are
 * written at once or not at all. No fence, no counter. The block with the
 * highest number, which is also the last to start, waits for each word in
 * turn and clears it for the next launch. The other blocks wait for nobody,
 * so there is no deadlock, however few blocks fit on the machine.
 *
 * Small inputs get tiles of 16 KiB, so that more multiprocessors share
 * them; large ones 64 KiB. Blocks of 512 threads, four per multiprocessor,
 * halve the number of words to wait for. The largest inputs get more blocks
 * than fit at once, so that a fast multiprocessor can do more of them.
 *
 * Expected, after a sweep of block and tile sizes: about a microsecond less
 * than two launches for small n, little change for large n.
 */
#include "kernels/reduce/reduce.h"
#include "kernels/ptx.cuh"
#include "kernels/sum.cuh"

enum {
    THREADS = 512,
    BLOCKS_PER_SM = 4,
    TILES_PER_BLOCK = 16, /* enough to pay for a block's start and end */
    WIDTH = 4,            /* elements per vector */
    SMALL = 1 << 22,      /* elements: up to here, a tile has SMALL_VECTORS */
    SMALL_VECTORS = 2,    /* 16-byte loads in flight per thread */
    LARGE_VECTORS = 8,
};

/* Leaves a sum in *word, flagged as there. */
static __device__ void word_put(uint64_t *word, float sum)
{
    const uint64_t v = (uint64_t)__float_as_uint(sum) << 32 | 1;

    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(word), "l"(v)
                 : "memory");
}

/* Waits for the sum in *word, and clears it for the next launch. */
static __device__ float word_take(uint64_t *word)
{
    uint64_t v;

    do {
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
                     : "=l"(v)
                     : "l"(word)
                     : "memory");
    } while (!(v & 1));
    *word = 0;
    return __uint_as_float((unsigned)(v >> 32));
}

/* This thread's share of the sum of x[0 … n-1]. */
template <int VECTORS> static __device__ float share(const float *x, size_t n)
{
    constexpr int TILE = THREADS * VECTORS;
    const float4 *v = (const float4 *)x;
    const size_t nv = n / WIDTH, step = (size_t)gridDim.x * TILE;
    size_t i = blockIdx.x * (size_t)TILE + threadIdx.x;
    const uint64_t once = ptx_evict_first();
    float sum = 0;

    for (; i + (VECTORS - 1) * THREADS < nv; i += step) {
        float4 in[VECTORS];

        for (int k = 0; k < VECTORS; k++)
            in[k] = VECTORS == SMALL_VECTORS
                        ? v[i + k * THREADS]
                        : ptx_load_once(v + i + k * THREADS, once);
        for (int k = 0; k < VECTORS; k++)
            sum += sum_vector(in[k]);
    }
    for (int k = 0; k < VECTORS; k++) /* the partial tile at the end */
        if (i + k * THREADS < nv)
            sum += sum_vector(v[i + k * THREADS]);
    if (blockIdx.x == 0 && threadIdx.x < n % WIDTH)
        sum += x[nv * WIDTH + threadIdx.x];
    return sum;
}

template <int VECTORS>
static __global__ void sum_all(float *out, const float *x, size_t n,
                               uint64_t *words)
{
    float sum = sum_block<THREADS>(share<VECTORS>(x, n));

    // ANCHOR: inner
    if (blockIdx.x != gridDim.x - 1) {
        if (threadIdx.x == 0)
            word_put(&words[blockIdx.x], sum);
        return;
    }
    if (threadIdx.x != 0)
        sum = 0;
    for (unsigned b = threadIdx.x; b < gridDim.x - 1; b += THREADS)
        sum += word_take(&words[b]);
    __syncthreads(); /* sum_block() uses its shared memory again */
    sum = sum_block<THREADS>(sum);
    if (threadIdx.x == 0)
        *out = sum;
    // ANCHOR_END: inner
}

static bool is_small(const struct kernel_case *c)
{
    return kernel_num(c, "n") <= SMALL;
}

/* As many blocks as fit; more, if each still has enough to do. */
static unsigned blocks_for(const struct kernel_case *c,
                           const struct kernel_env *env)
{
    const size_t n = (size_t)kernel_num(c, "n");
    const size_t vectors = is_small(c) ? SMALL_VECTORS : LARGE_VECTORS;
    const size_t tiles = reduce_pieces(n, vectors * THREADS * WIDTH);
    const size_t fit = (size_t)env->sms * BLOCKS_PER_SM;
    const size_t enough = tiles / TILES_PER_BLOCK;

    return (unsigned)reduce_min(tiles, fit > enough ? fit : enough);
}

extern "C" size_t reduce_inband_scratch(const struct kernel_case *c,
                                        const struct kernel_env *env)
{
    return blocks_for(c, env) * sizeof(uint64_t);
}

extern "C" int reduce_inband(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const auto kernel =
        is_small(c) ? sum_all<SMALL_VECTORS> : sum_all<LARGE_VECTORS>;

    kernel<<<blocks_for(c, env), THREADS, 0, (cudaStream_t)env->stream>>>(
        (float *)buf[0], (const float *)buf[1], (size_t)kernel_num(c, "n"),
        (uint64_t *)buf[2]);
    return cudaGetLastError();
}

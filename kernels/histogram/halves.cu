/*
 * Half a word for each bin.
 *
 * 65536 bins of four bytes are more than a block's shared memory, of two
 * bytes they are half of it. Two bins then share a word, and a bin that has
 * reached 2^15 must hand them on before it runs into its neighbour: the atomic
 * addition returns the old value, so exactly one thread sees the bin cross
 * 2^15, takes 2^15 off it again and adds them to the result.
 *
 * Between the crossing and the taking off others go on adding. A barrier
 * after each tile bounds how many: a tile has 2^14 keys, so a bin is below
 * 2^15 when a tile begins and never above 2^15 + 2^14.
 *
 * A warp whose vectors hold 128 equal keys adds them at once; that is what keeps
 * a single key from being a queue of 32.
 *
 * Predicted before any run: 50-80 % for random keys; one block of 1024 threads
 * per multiprocessor has to hide both memory and atomics.
 */
#include "kernels/histogram/histogram.cuh"

enum {
    THREADS = 1024,
    FULL = 1 << 15, /* handed on */
    WIDTH = 4,      /* keys per vector */
    TILE_KEYS = THREADS * HISTOGRAM_VECTORS * WIDTH,
    HALF_BITS = 16,
    MOST_BYTES = HISTOGRAM_MAX_BINS * 2,
};

static_assert(FULL + TILE_KEYS < 1 << HALF_BITS, "no bin runs over");

struct bins {
    unsigned *pair;   /* shared: bin b is half b % 2 of word b / 2 */
    unsigned *counts; /* the result */
};

/* Where a key's half begins in its word. */
static __device__ unsigned shift_of(unsigned key)
{
    return key % 2 * HALF_BITS;
}

// ANCHOR: inner
/* The old value of the key's word. */
static __device__ unsigned add(struct bins b, unsigned key, unsigned times)
{
    return atomicAdd(&b.pair[key / 2], times << shift_of(key));
}

/* To be called with what add() returned. */
static __device__ void hand_on(struct bins b, unsigned key, unsigned times,
                               unsigned old)
{
    const unsigned was = old >> shift_of(key) & 0xffff;

    if (was < FULL && was + times >= FULL) {
        atomicSub(&b.pair[key / 2], (unsigned)FULL << shift_of(key));
        atomicAdd(&b.counts[key], (unsigned)FULL);
    }
}
// ANCHOR_END: inner

static __device__ void add_one(struct bins b, unsigned key)
{
    hand_on(b, key, 1, add(b, key, 1));
}

/* A whole warp. Its four additions are under way before the first is seen. */
static __device__ void add_vector(struct bins b, uint4 v)
{
    const unsigned key[WIDTH] = {v.x, v.y, v.z, v.w};
    const unsigned first = __shfl_sync(0xffffffff, v.x, 0);
    const bool same =
        v.x == first && v.y == first && v.z == first && v.w == first;
    unsigned old[WIDTH];

    if (__all_sync(0xffffffff, same)) {
        constexpr unsigned times = WIDTH * HISTOGRAM_WARP;

        if (threadIdx.x % HISTOGRAM_WARP == 0)
            hand_on(b, first, times, add(b, first, times));
        return;
    }
    for (int k = 0; k < WIDTH; k++)
        old[k] = add(b, key[k], 1);
    for (int k = 0; k < WIDTH; k++)
        hand_on(b, key[k], 1, old[k]);
}

static __global__ void __launch_bounds__(THREADS)
    count(unsigned *counts, const int32_t *keys, size_t n, unsigned bins)
{
    extern __shared__ unsigned pair[];
    const struct bins b = {pair, counts};
    const unsigned words = (bins + 1) / 2;
    int vectors = 0;

    histogram_clear<THREADS>(pair, words);
    __syncthreads();
    histogram_walk<THREADS>(
        keys, n,
        [&](uint4 v) {
            add_vector(b, v);
            if (++vectors % HISTOGRAM_VECTORS == 0)
                __syncthreads();
        },
        [&](uint4 v) {
            histogram_each(v, keys, [&](unsigned key) { add_one(b, key); });
        },
        [&](unsigned key) { add_one(b, key); });
    __syncthreads();
    for (unsigned i = threadIdx.x; i < bins; i += THREADS) {
        const unsigned mine = pair[i / 2] >> i % 2 * HALF_BITS & 0xffff;

        if (mine != 0)
            atomicAdd(&counts[i], mine);
    }
}

extern "C" const char *histogram_halves_prepare(const struct kernel_case *,
                                                const struct kernel_env *,
                                                void *const *, void **)
{
    if (cudaFuncSetAttribute(count, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             MOST_BYTES) != cudaSuccess)
        return "the device has less than 128 KiB of shared memory per block";
    return NULL;
}

extern "C" int histogram_halves(const struct kernel_case *c,
                                const struct kernel_env *env, void *const *buf,
                                void *)
{
    const unsigned bins = (unsigned)kernel_num(c, "bins");
    const unsigned grid = histogram_grid(c, env, THREADS, 1);
    const cudaError_t err = histogram_zero(c, env, buf[0]);

    if (err != cudaSuccess)
        return err;
    count<<<grid, THREADS, (bins + 1) / 2 * sizeof(unsigned),
            (cudaStream_t)env->stream>>>((unsigned *)buf[0],
                                         (const int32_t *)buf[1],
                                         (size_t)kernel_num(c, "n"), bins);
    return cudaGetLastError();
}

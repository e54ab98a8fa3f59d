/*
 * histogram/halves - two bins share a word.
 *
 * 65536 bins of four bytes are more than a block's shared memory, of two
 * bytes they are half of it. Two bins then share a word, and a bin that has
 * reached 2^15 must hand them on before it runs into its neighbour: the atomic
 * addition returns the old value, so exactly one thread sees the bin cross
 * 2^15, takes 2^15 off it again and adds them to the result.
 *
 * Between the crossing and the subtraction other threads go on adding. A
 * barrier after each tile bounds how many: a tile has 2^15 keys, so a bin is
 * below 2^15 when a tile begins and below 2^16 as long as it lasts.
 *
 * If all keys of a warp's part of a tile are the same, the warp adds them at
 * once. Otherwise a single key would make its 32 lanes wait in line.
 *
 * Predicted before any run: 50-80 % for random keys; one block of 1024 threads
 * per SM has to hide both memory and atomics.
 */
#include "kernels/histogram/histogram.cuh"

enum {
    THREADS = 1024,
    VECTORS = 8,    /* 16-byte loads in flight per thread */
    FULL = 1 << 15, /* handed on */
    WIDTH = 4,      /* keys per vector */
    TILE_KEYS = THREADS * VECTORS * WIDTH,
    HALF_BITS = 16,
    MOST_BYTES = HISTOGRAM_MAX_BINS * 2,
};

static_assert(FULL - 1 + TILE_KEYS < 1 << HALF_BITS, "no bin runs over");

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

/* Four additions are in flight before the first is looked at. */
static __device__ void add_vector(struct bins b, uint4 v)
{
    const unsigned key[WIDTH] = {v.x, v.y, v.z, v.w};
    unsigned old[WIDTH];

    for (int k = 0; k < WIDTH; k++)
        old[k] = add(b, key[k], 1);
    for (int k = 0; k < WIDTH; k++)
        hand_on(b, key[k], 1, old[k]);
}

/* The part of a whole warp in a tile. */
static __device__ void add_part(struct bins b, const uint4 (&v)[VECTORS])
{
    constexpr unsigned all = VECTORS * WIDTH * WARP;
    const unsigned first = __shfl_sync(0xffffffff, v[0].x, 0);
    bool same = true;

    histogram_each(v, (const int32_t *)NULL,
                   [&](unsigned key) { same = same && key == first; });
    if (__all_sync(0xffffffff, same)) {
        if (threadIdx.x % WARP == 0)
            hand_on(b, first, all, add(b, first, all));
        return;
    }
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        add_vector(b, v[k]);
}

static __global__ void __launch_bounds__(THREADS, 1)
    count(unsigned *counts, const int32_t *keys, size_t n, unsigned bins)
{
    extern __shared__ unsigned pair[];
    const struct bins b = {pair, counts};

    histogram_clear<THREADS>(pair, (bins + 1) / 2);
    __syncthreads();
    histogram_walk<THREADS, VECTORS>(
        keys, n,
        [&](const uint4(&v)[VECTORS]) {
            add_part(b, v);
            __syncthreads();
        },
        [&](uint4 v) { add_vector(b, v); },
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
    const unsigned grid = histogram_grid(c, env, THREADS, 1, VECTORS);
    const cudaError_t err = histogram_zero(c, env, buf[0]);

    if (err != cudaSuccess)
        return err;
    count<<<grid, THREADS, (bins + 1) / 2 * sizeof(unsigned),
            (cudaStream_t)env->stream>>>((unsigned *)buf[0],
                                         (const int32_t *)buf[1],
                                         (size_t)kernel_num(c, "n"), bins);
    return cudaGetLastError();
}

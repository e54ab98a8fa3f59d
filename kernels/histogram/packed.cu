/*
 * histogram/packed - a byte for each thread and bin, no atomics.
 *
 * If a thread's bins are its own, it can add with a load and a store, and if
 * it empties them before any can reach 256, a byte is enough for a bin. So
 * 128 threads count into 32 KiB: bin b of lane l of warp w is byte w of word
 * 32 b + l, so that again lane l stays in bank l. After every 192 keys a
 * thread becomes the owner of two bins: it adds up the bytes of all 128
 * threads, four at a time with one dp4a, into two registers, and clears them.
 *
 * The price: two passes of shared memory per key instead of one, each addition
 * of a thread waits for the one before, and 32 KiB for 128 threads leave room
 * for 768 threads on an SM.
 *
 * Predicted before any run: faster than `vector`, slower than `replicated` if
 * its atomics run at a pass per cycle.
 */
#include "kernels/histogram/histogram.cuh"

enum {
    THREADS = 128,
    WARPS = THREADS / WARP,
    BLOCKS_PER_SM = 6,
    BINS = HISTOGRAM_BYTE_BINS,
    ROW_SHIFT = 7, /* log2 of the bytes of a bin's row */
    TILE = THREADS * HISTOGRAM_VECTORS,
    KEYS = 16 * HISTOGRAM_VECTORS, /* of a thread per tile */
    TILES = 3,                     /* between two emptyings */
    OWNED = BINS / THREADS,
};

static_assert(1 << ROW_SHIFT == THREADS, "a byte a thread");
static_assert(WARPS == sizeof(unsigned), "the warps share a word");
static_assert(TILES * KEYS < 256, "a byte does not overflow");

/* All threads: empties the bytes of this thread's bins into total[]. */
static __device__ void empty(unsigned (*row)[WARP], unsigned total[OWNED])
{
    __syncthreads();
#pragma unroll
    for (int r = 0; r < OWNED; r++)
#pragma unroll 8
        for (int i = 0; i < WARP; i++) {
            /* each lane begins in another bank */
            unsigned *word =
                &row[r * THREADS + threadIdx.x][(i + threadIdx.x) % WARP];

            total[r] = __dp4a(*word, 0x01010101u, total[r]);
            *word = 0;
        }
    __syncthreads();
}

static __global__ void __launch_bounds__(THREADS)
    count(unsigned *counts, const uint8_t *keys, size_t n)
{
    __shared__ unsigned row[BINS][WARP];
    unsigned total[OWNED] = {};
    const unsigned lane = threadIdx.x % WARP;
    int tiles = 0;

    histogram_clear<THREADS>(&row[0][0], BINS * WARP);
    __syncthreads();
    // ANCHOR: inner
    uint8_t *mine = (uint8_t *)&row[0][lane] + threadIdx.x / WARP;
    const auto add_at = [&](unsigned at) { mine[at]++; };
    const auto take = [&](const auto &v) {
        histogram_each<ROW_SHIFT>(v, keys, add_at);
    };
    const auto whole = [&](const auto &v) {
        take(v);
        if (++tiles == TILES) {
            empty(row, total);
            tiles = 0;
        }
    };
    // ANCHOR_END: inner
    const auto last = [&](unsigned key) { add_at(key << ROW_SHIFT); };

    histogram_walk<THREADS>(keys, n, whole, take, last);
    empty(row, total);
    for (int r = 0; r < OWNED; r++)
        if (total[r] != 0)
            atomicAdd(&counts[r * THREADS + threadIdx.x], total[r]);
}

extern "C" int histogram_packed(const struct kernel_case *c,
                                const struct kernel_env *env, void *const *buf,
                                void *)
{
    const unsigned grid = histogram_grid(c, env, THREADS, BLOCKS_PER_SM);
    const cudaError_t err = histogram_zero(c, env, buf[0]);

    if (err != cudaSuccess)
        return err;
    count<<<grid, THREADS, 0, (cudaStream_t)env->stream>>>(
        (unsigned *)buf[0], (const uint8_t *)buf[1],
        (size_t)kernel_num(c, "n"));
    return cudaGetLastError();
}

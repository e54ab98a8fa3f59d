/*
 * stream/ahead - a prefetch into the L2, ahead of the loads.
 *
 * `tile` suggests that the order of accesses matters more than their number.
 * The next step is to separate *when memory is read* from when the data is
 * used. The first thread of each block asks L2 for the tile that a block 1.5
 * MiB further on will need (one instruction that no thread waits for), then the
 * block copies its own tile, which such a request brought into the L2 long
 * before. Reads from memory now come as whole tiles in strict order, and the
 * loads of the threads wait only for L2, so that a few bytes in flight per
 * thread suffice.
 *
 * Expected, after a sweep of the distance (a wide range does equally well;
 * too far, and L2 forgets before the use): a little more than `tile` for
 * copy, where the mix of reads and writes leaves something to win. A pure
 * read has no such mix and only pays for the second look at L2.
 */
#include "kernels/knob.cuh"
#include "kernels/ptx.cuh"
#include "kernels/stream/direct.cuh"
#include "kernels/sum.cuh"

enum {
    THREADS = 128,
    VECTORS = 2,
    TILE = THREADS * VECTORS * 4, /* elements per stream: 4 KiB */
    TILE_BYTES = TILE * 4,
    AHEAD = KNOB(3 << 19), /* bytes: 1.5 MiB, a small part of L2 */
    READ_THREADS = 256,
    READ_VECTORS = STREAM_PAGE / 4 / READ_THREADS,
};

/* Asks for the tile of `bytes` that lies AHEAD of element `begin`. */
static __device__ void prefetch(const float *x, size_t begin, int bytes,
                                size_t n)
{
    const size_t there = begin + AHEAD / sizeof *x;

    if (threadIdx.x == 0 && there + bytes / sizeof *x <= n)
        ptx_bulk_prefetch(x + there, bytes);
}

// ANCHOR: inner
static __global__ void copy(float *a, const float *b, size_t n)
{
    const size_t begin = blockIdx.x * (size_t)TILE;
    const float4 *src = (const float4 *)(b + begin) + threadIdx.x;
    float4 *dst = (float4 *)(a + begin) + threadIdx.x;
    float4 v[VECTORS];

    if (begin + TILE > n)
        return direct_rest(a, b, NULL, begin, n);
    prefetch(b, begin, TILE_BYTES, n);
    for (int k = 0; k < VECTORS; k++)
        v[k] = src[k * THREADS];
    for (int k = 0; k < VECTORS; k++)
        dst[k * THREADS] = v[k];
}
// ANCHOR_END: inner

static __global__ void triad(float *a, const float *b, const float *c, size_t n)
{
    const size_t begin = blockIdx.x * (size_t)TILE;
    const float4 *src = (const float4 *)(b + begin) + threadIdx.x;
    const float4 *scaled = (const float4 *)(c + begin) + threadIdx.x;
    float4 *dst = (float4 *)(a + begin) + threadIdx.x;
    float4 v[VECTORS], w[VECTORS];

    if (begin + TILE > n)
        return direct_rest(a, b, c, begin, n);
    prefetch(b, begin, TILE_BYTES, n);
    prefetch(c, begin, TILE_BYTES, n);
    for (int k = 0; k < VECTORS; k++) {
        v[k] = src[k * THREADS];
        w[k] = scaled[k * THREADS];
    }
    for (int k = 0; k < VECTORS; k++)
        dst[k * THREADS] = direct_add_scaled(v[k], w[k]);
}

/* One block per page. */
static __global__ void read(float *sums, const float *b, size_t n)
{
    const size_t begin = blockIdx.x * (size_t)STREAM_PAGE;
    const float4 *src = (const float4 *)(b + begin) + threadIdx.x;
    float4 v[READ_VECTORS];
    float sum = 0;

    if (begin + STREAM_PAGE <= n) {
        prefetch(b, begin, STREAM_PAGE * 4, n);
        for (int k = 0; k < READ_VECTORS; k++)
            v[k] = src[k * READ_THREADS];
        for (int k = 0; k < READ_VECTORS; k++)
            sum += sum_vector(v[k]);
    } else {
        sum = direct_rest_sum(b, begin, n);
    }
    sum = sum_block<READ_THREADS>(sum);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

extern "C" int stream_ahead(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *)
{
    const size_t n = (size_t)kernel_num(c, "n");
    const unsigned grid = (unsigned)stream_pieces(n, TILE);
    const unsigned pages = (unsigned)stream_pieces(n, STREAM_PAGE);
    cudaStream_t stream = (cudaStream_t)env->stream;
    float *out = (float *)buf[0];
    const float *b = (const float *)buf[1];

    switch (stream_op_of(c)) {
    case STREAM_COPY:
        copy<<<grid, THREADS, 0, stream>>>(out, b, n);
        break;
    case STREAM_TRIAD:
        triad<<<grid, THREADS, 0, stream>>>(out, b, (const float *)buf[2], n);
        break;
    case STREAM_READ:
        read<<<pages, READ_THREADS, 0, stream>>>(out, b, n);
        break;
    }
    return cudaGetLastError();
}

/*
 * stream/scalar - one element per thread.
 *
 * This is the kernel that everybody writes first: thread i handles element i,
 * so a warp touches 128 contiguous bytes and every access is coalesced. Nothing
 * is wasted; what it lacks is size. An SM holds 2048 threads, each with one
 * 4-byte load in flight: 8 KB. Little's law wants bandwidth times latency in
 * flight, 4.8 TB/s x 0.8 us / 132 = 28 KB per SM. The op with two input streams
 * has twice the loads and should suffer less.
 *
 * Predicted before any run: 80-85 % of the datasheet bandwidth for copy.
 */
#include "kernels/stream/stream.h"
#include "kernels/sum.cuh"

enum { THREADS = 256 };

// ANCHOR: inner
static __global__ void copy(float *a, const float *b, size_t n)
{
    const size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x;

    if (i < n)
        a[i] = b[i];
}

static __global__ void triad(float *a, const float *b, const float *c, size_t n)
{
    const size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x;

    if (i < n)
        a[i] = b[i] + STREAM_SCALE * c[i];
}

/* One block per page. */
static __global__ void read(float *sums, const float *b, size_t n)
{
    const size_t begin = blockIdx.x * (size_t)STREAM_PAGE;
    const size_t end = min(n, begin + STREAM_PAGE);
    float sum = 0;

#pragma unroll 1
    for (size_t i = begin + threadIdx.x; i < end; i += THREADS)
        sum += b[i];
    sum = sum_block<THREADS>(sum);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}
// ANCHOR_END: inner

extern "C" int stream_scalar(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const size_t n = (size_t)kernel_num(c, "n");
    const unsigned grid = (unsigned)stream_pieces(n, THREADS);
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
        read<<<pages, THREADS, 0, stream>>>(out, b, n);
        break;
    }
    return cudaGetLastError();
}

/*
 * stream/vector - 16 bytes per access.
 *
 * The same kernel with float4: one instruction moves four neighbouring
 * elements, a warp touches 512 contiguous bytes, and the 2048 threads of an SM
 * have 32 KB in flight. That is just over the 28 KB that Little's law asks for,
 * with a quarter of the instructions.
 *
 * Predicted before any run: 85-88 % for copy.
 */
#include "kernels/stream/stream.h"
#include "kernels/sum.cuh"

enum {
    THREADS = 256,
    WIDTH = 4, /* elements per access: 16 bytes */
};

/*
 * Threads beyond the last whole vector take the n % WIDTH elements left,
 * one each; index() says which, or n if there is none.
 */
static __device__ size_t index_left(size_t i, size_t n)
{
    return min(n, n / WIDTH * WIDTH + (i - n / WIDTH));
}

// ANCHOR: inner
static __global__ void copy(float *a, const float *b, size_t n)
{
    const size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x;

    if (i < n / WIDTH)
        ((float4 *)a)[i] = ((const float4 *)b)[i];
    else if (index_left(i, n) < n)
        a[index_left(i, n)] = b[index_left(i, n)];
}
// ANCHOR_END: inner

static __device__ float4 add_scaled(float4 b, float4 c)
{
    return make_float4(b.x + STREAM_SCALE * c.x, b.y + STREAM_SCALE * c.y,
                       b.z + STREAM_SCALE * c.z, b.w + STREAM_SCALE * c.w);
}

static __global__ void triad(float *a, const float *b, const float *c, size_t n)
{
    const size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x;
    const size_t left = index_left(i, n);

    if (i < n / WIDTH)
        ((float4 *)a)[i] =
            add_scaled(((const float4 *)b)[i], ((const float4 *)c)[i]);
    else if (left < n)
        a[left] = b[left] + STREAM_SCALE * c[left];
}

/* One block per page. */
static __global__ void read(float *sums, const float *b, size_t n)
{
    const size_t begin = blockIdx.x * (size_t)STREAM_PAGE;
    const size_t end = min(n, begin + STREAM_PAGE);
    float sum = 0;

#pragma unroll 1
    for (size_t i = begin / WIDTH + threadIdx.x; i < end / WIDTH; i += THREADS)
        sum += sum_vector(((const float4 *)b)[i]);
    if (threadIdx.x < end % WIDTH)
        sum += b[end / WIDTH * WIDTH + threadIdx.x];
    sum = sum_block<THREADS>(sum);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

extern "C" int stream_vector(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const size_t n = (size_t)kernel_num(c, "n");
    const unsigned grid =
        (unsigned)stream_pieces(n / WIDTH + n % WIDTH, THREADS);
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

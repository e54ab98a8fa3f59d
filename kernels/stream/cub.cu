/*
 * stream/cub - peer: CUB. DeviceTransform does copy and triad (on this hardware
 * with the TMA), DeviceSegmentedReduce the sums of read. Lengths are passed as
 * int, the fastest index type CUB has for them.
 */
#include "kernels/stream/stream.h"

#include <cub/device/device_segmented_reduce.cuh>
#include <cub/device/device_transform.cuh>
#include <cuda/std/tuple>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

struct same {
    __device__ float operator()(float b) const
    {
        return b;
    }
};

struct add_scaled {
    __device__ float operator()(float b, float c) const
    {
        return b + STREAM_SCALE * c;
    }
};

/* Where page `page + shift` begins. */
struct page_start {
    int n, shift;

    __host__ __device__ int operator()(int page) const
    {
        const long long start = (page + (long long)shift) * STREAM_PAGE;

        return start < n ? (int)start : n;
    }
};

static auto page_starts(int n, int shift)
{
    return thrust::transform_iterator<page_start,
                                      thrust::counting_iterator<int>>(
        thrust::counting_iterator<int>(0), page_start{n, shift});
}

static cudaError_t page_sums(void *temp, size_t *bytes, const float *b,
                             float *sums, int n, cudaStream_t stream)
{
    const int pages = (int)stream_pieces((size_t)n, STREAM_PAGE);

    return cub::DeviceSegmentedReduce::Sum(temp, *bytes, b, sums, pages,
                                           page_starts(n, 0), page_starts(n, 1),
                                           stream);
}

extern "C" size_t stream_cub_scratch(const struct kernel_case *c,
                                     const struct kernel_env *)
{
    size_t bytes = 0;

    if (stream_op_of(c) == STREAM_READ)
        page_sums(NULL, &bytes, NULL, NULL, (int)kernel_num(c, "n"), 0);
    return bytes;
}

/* Keeps the size, since asking CUB for it takes time on the host. */
extern "C" const char *stream_cub_prepare(const struct kernel_case *c,
                                          const struct kernel_env *env,
                                          void *const *, void **state)
{
    *state = (void *)stream_cub_scratch(c, env);
    return NULL;
}

extern "C" int stream_cub(const struct kernel_case *c,
                          const struct kernel_env *env, void *const *buf,
                          void *state)
{
    const int n = (int)kernel_num(c, "n");
    cudaStream_t stream = (cudaStream_t)env->stream;
    float *out = (float *)buf[0];
    const float *b = (const float *)buf[1];
    size_t bytes = (size_t)state;

    switch (stream_op_of(c)) {
    case STREAM_COPY:
        return cub::DeviceTransform::Transform(b, out, n, same{}, stream);
    case STREAM_TRIAD:
        return cub::DeviceTransform::Transform(
            cuda::std::make_tuple(b, (const float *)buf[2]), out, n,
            add_scaled{}, stream);
    case STREAM_READ:
        return page_sums(bytes ? buf[2] : NULL, &bytes, b, out, n, stream);
    }
    return cudaErrorInvalidValue;
}

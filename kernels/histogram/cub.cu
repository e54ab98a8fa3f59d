/*
 * histogram/cub - peer: CUB's DeviceHistogram::HistogramEven, with as many
 * levels as give every key a bin of its own. It reads the number of bins and
 * picks shared or global memory for them. The length is passed as int, the
 * fastest index type CUB has for it.
 */
#include "kernels/histogram/histogram.h"

#include <cub/device/device_histogram.cuh>

template <class Key>
static cudaError_t even(void *scratch, size_t *bytes,
                        const struct kernel_case *c, const void *keys,
                        void *counts, cudaStream_t stream)
{
    const int bins = (int)kernel_num(c, "bins");

    return cub::DeviceHistogram::HistogramEven(
        scratch, *bytes, (const Key *)keys, (int *)counts, bins + 1, 0, bins,
        (int)kernel_num(c, "n"), stream);
}

static cudaError_t call(void *scratch, size_t *bytes,
                        const struct kernel_case *c, const void *keys,
                        void *counts, cudaStream_t stream)
{
    return c->dtype == KERNEL_U8
               ? even<uint8_t>(scratch, bytes, c, keys, counts, stream)
               : even<int32_t>(scratch, bytes, c, keys, counts, stream);
}

extern "C" size_t histogram_cub_scratch(const struct kernel_case *c,
                                        const struct kernel_env *)
{
    size_t bytes = 0;

    call(NULL, &bytes, c, NULL, NULL, NULL);
    return bytes;
}

/* Keeps the size, since asking CUB for it takes time on the host. */
extern "C" const char *histogram_cub_prepare(const struct kernel_case *c,
                                             const struct kernel_env *env,
                                             void *const *, void **state)
{
    *state = (void *)histogram_cub_scratch(c, env);
    return NULL;
}

extern "C" int histogram_cub(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *state)
{
    size_t bytes = (size_t)state;

    return call(buf[2], &bytes, c, buf[1], buf[0], (cudaStream_t)env->stream);
}

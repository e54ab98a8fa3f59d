/*
 * scan/cub - peer: CUB's DeviceScan::ExclusiveSum, the library a CUDA
 * programmer reaches for. The length is passed as int, the fastest index type
 * CUB has for it. It launches twice: a small kernel that clears the words of
 * the look-back, and the scan.
 */
#include "kernels/scan/scan.h"

#include <cub/device/device_scan.cuh>

template <class T>
static int exclusive_sum(void *scratch, size_t *bytes, void *const *buf, int n,
                         void *stream)
{
    return cub::DeviceScan::ExclusiveSum(
        scratch, *bytes, buf ? (const T *)buf[1] : NULL,
        buf ? (T *)buf[0] : NULL, n, (cudaStream_t)stream);
}

extern "C" size_t scan_cub_scratch(const struct kernel_case *c,
                                   const struct kernel_env *)
{
    const auto sum =
        c->dtype == KERNEL_I32 ? exclusive_sum<int> : exclusive_sum<float>;
    size_t bytes = 0;

    sum(NULL, &bytes, NULL, (int)scan_length(c), NULL);
    return bytes;
}

/* Keeps the size, since asking CUB for it takes time on the host. */
extern "C" const char *scan_cub_prepare(const struct kernel_case *c,
                                        const struct kernel_env *env,
                                        void *const *, void **state)
{
    *state = (void *)scan_cub_scratch(c, env);
    return NULL;
}

extern "C" int scan_cub(const struct kernel_case *c,
                        const struct kernel_env *env, void *const *buf,
                        void *state)
{
    const auto sum =
        c->dtype == KERNEL_I32 ? exclusive_sum<int> : exclusive_sum<float>;
    size_t bytes = (size_t)state;

    return sum(buf[2], &bytes, buf, (int)scan_length(c), env->stream);
}

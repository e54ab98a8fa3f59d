/*
 * reduce/cub - peer: CUB's DeviceReduce::Sum, the library a CUDA programmer
 * reaches for. The length is passed as int, the fastest index type CUB has for
 * it.
 */
#include "kernels/reduce/reduce.h"

#include <cub/device/device_reduce.cuh>

extern "C" size_t reduce_cub_scratch(const struct kernel_case *c,
                                     const struct kernel_env *)
{
    size_t bytes = 0;

    cub::DeviceReduce::Sum(NULL, bytes, (const float *)NULL, (float *)NULL,
                           (int)kernel_num(c, "n"));
    return bytes;
}

/* Keeps the size, since asking CUB for it takes time on the host. */
extern "C" const char *reduce_cub_prepare(const struct kernel_case *c,
                                          const struct kernel_env *env,
                                          void *const *, void **state)
{
    *state = (void *)reduce_cub_scratch(c, env);
    return NULL;
}

extern "C" int reduce_cub(const struct kernel_case *c,
                          const struct kernel_env *env, void *const *buf,
                          void *state)
{
    size_t bytes = (size_t)state;

    return cub::DeviceReduce::Sum(buf[2], bytes, (const float *)buf[1],
                                  (float *)buf[0], (int)kernel_num(c, "n"),
                                  (cudaStream_t)env->stream);
}

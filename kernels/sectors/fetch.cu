/*
 * sectors/fetch32, fetch64, fetch128 - how much the L2 fetches for a miss.
 *
 * The kernel is that of sectors/scalar. DRAM traffic comes in pieces of 64
 * bytes there, twice the sector that was missed: a stride of 16 floats, where
 * each sector stands alone, reads twice the sectors that are used. Two things
 * could be behind it: the width of the memory, or a policy of the L2, which
 * fetches the neighbour as well.
 *
 * CUDA has a limit for the policy, cudaLimitMaxL2FetchGranularity, from 0 to
 * 128 bytes, and calls it a hint. These variants set it before they launch, for
 * the process, and put it back.
 *
 * Predicts: if it is the L2's policy, fetch32 halves the bytes from DRAM for
 * a stride of 16, and takes about half the time. If it is the memory, nothing
 * changes.
 */
#include "kernels/sectors/scalar.h"
#include "kernels/sectors/sectors.h"

#include <cuda_runtime.h>
#include <stdlib.h>

/* The limit as it was, for the buffer set that changed it. */
struct fetch {
    size_t before; /* bytes */
};

// ANCHOR: inner
static const char *prepare(size_t bytes, void **state)
{
    const cudaLimit limit = cudaLimitMaxL2FetchGranularity;
    size_t before = 0, now = 0;
    struct fetch *f;

    *state = NULL;
    if (cudaDeviceGetLimit(&before, limit) != cudaSuccess)
        return "the driver does not tell the L2's fetch granularity";
    if (before == bytes) /* as it is, or set with another buffer set */
        return NULL;
    f = (struct fetch *)malloc(sizeof *f);
    if (f == NULL)
        return "no memory for the L2's fetch granularity";
    f->before = before;
    if (cudaDeviceSetLimit(limit, bytes) != cudaSuccess ||
        cudaDeviceGetLimit(&now, limit) != cudaSuccess || now != bytes) {
        free(f);
        return "the driver does not set this fetch granularity of the L2";
    }
    *state = f;
    return NULL;
}
// ANCHOR_END: inner

extern "C" const char *sectors_fetch32_prepare(const struct kernel_case *,
                                               const struct kernel_env *,
                                               void *const *, void **state)
{
    return prepare(32, state);
}

extern "C" const char *sectors_fetch64_prepare(const struct kernel_case *,
                                               const struct kernel_env *,
                                               void *const *, void **state)
{
    return prepare(64, state);
}

extern "C" const char *sectors_fetch128_prepare(const struct kernel_case *,
                                                const struct kernel_env *,
                                                void *const *, void **state)
{
    return prepare(128, state);
}

extern "C" int sectors_fetch(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    return sectors_scalar(c, env, buf, NULL);
}

extern "C" void sectors_fetch_release(void *state)
{
    const struct fetch *f = (const struct fetch *)state;

    if (f != NULL)
        cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, f->before);
    free(state);
}

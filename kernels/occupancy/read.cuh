/*
 * kernels/occupancy/read.cuh - a warp reads a piece, and forcing how many
 * warps there are.
 */
#ifndef KERNELS_OCCUPANCY_READ_CUH
#define KERNELS_OCCUPANCY_READ_CUH

#include "kernels/occupancy/occupancy.h"
#include "kernels/ptx.cuh"
#include "kernels/sum.cuh"

enum {
    READ_BLOCK_RESERVE = 1024
}; /* bytes of shared memory that the system
                                       takes of each block's */

/*
 * Reads 16 bytes that are used once. Unlike ptx_load_once() it allows for other
 * threads that write them, so the compiler keeps such loads in order.
 */
static __device__ __forceinline__ float4 read_in_order(const float4 *p,
                                                       uint64_t policy)
{
    float4 v;

    asm volatile("ld.relaxed.gpu.global.L1::no_allocate.L2::cache_hint.v4.f32"
                 " {%0, %1, %2, %3}, [%4], %5;"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "l"(__cvta_generic_to_global(p)), "l"(policy));
    return v;
}

static __device__ __forceinline__ float4 read_add(float4 a, float4 b)
{
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

/* This lane's sum of a piece that is not whole: element by element. */
static __device__ inline float read_rest(const float *x, size_t piece, size_t n)
{
    const unsigned lane = threadIdx.x % WARP;
    const size_t begin = piece * OCCUPANCY_PIECE;
    float sum = 0;

    for (size_t i = begin + lane * OCCUPANCY_VECTOR; i < n;
         i += WARP * OCCUPANCY_VECTOR)
        for (size_t j = i; j < n && j < i + OCCUPANCY_VECTOR; j++)
            sum += x[j];
    return sum;
}

/*
 * Shared memory that a block must ask for, so that exactly `blocks` of them fit
 * on an SM: as much as it can have if there are so many. Returns bytes, or 0 if
 * the device does not say.
 */
static inline int read_pad(int blocks)
{
    int device, bytes;

    if (cudaGetDevice(&device) ||
        cudaDeviceGetAttribute(
            &bytes, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device))
        return 0;
    return (bytes / blocks - READ_BLOCK_RESERVE) / 1024 * 1024;
}

/* Launches a kernel with so many warps on each SM. */
static inline int read_launch(void (*kernel)(float *, const float *, size_t),
                              const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf)
{
    const int blocks = (int)kernel_num(c, "warps") / OCCUPANCY_WARPS;
    const int pad = read_pad(blocks);
    const int rc = cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, pad);

    if (rc)
        return rc;
    kernel<<<env->sms * blocks, OCCUPANCY_THREADS, pad,
             (cudaStream_t)env->stream>>>(
        (float *)buf[0], (const float *)buf[1], (size_t)kernel_num(c, "n"));
    return cudaGetLastError();
}

#endif

/*
 * kernels/gemv/linear.cuh - what the kernels of this family share: the buffers,
 * and 16 bytes of bf16.
 *
 * y[m][n] = Σ_k x[m][k] W[n][k], all row-major, all bf16, sums in f32. W is
 * the weight matrix: row n holds the k weights of output n, and is read
 * once. x is small, read by all, and soon in L1.
 */
#ifndef KERNELS_GEMV_LINEAR_CUH
#define KERNELS_GEMV_LINEAR_CUH

#include "kernels/bf16.h"
#include "kernels/kernel.h"
#include "kernels/ptx.cuh"
#include "kernels/sum.cuh"

#include <cuda_runtime.h>

enum { WIDTH = 8 /* elements in 16 bytes */ };

/* A case's arguments. */
struct linear {
    uint16_t *y;
    const uint16_t *x, *w;
    int m, n, k;
};

static inline struct linear linear_of(const struct kernel_case *c,
                                      void *const *buf)
{
    struct linear l = {(uint16_t *)buf[2],       (const uint16_t *)buf[0],
                       (const uint16_t *)buf[1], (int)kernel_num(c, "m"),
                       (int)kernel_num(c, "n"),  (int)kernel_num(c, "k")};
    return l;
}

/* All rows start at multiples of 16 bytes. */
static inline bool linear_aligned(const struct linear *l)
{
    return l->k % WIDTH == 0;
}

/* 16 bytes of x, or of W where they may stay in L1. */
static __device__ __forceinline__ uint4 eight(const uint16_t *p)
{
    return *(const uint4 *)p;
}

/* 16 bytes of W, used once. */
static __device__ __forceinline__ uint4 eight_once(const uint16_t *p,
                                                   uint64_t once)
{
    float4 v = ptx_load_once((const float4 *)p, once);

    return make_uint4(__float_as_uint(v.x), __float_as_uint(v.y),
                      __float_as_uint(v.z), __float_as_uint(v.w));
}

/* sum + Σ a[i] b[i] over eight pairs. */
static __device__ __forceinline__ float dot_eight(uint4 a, uint4 b, float sum)
{
    const uint32_t x[4] = {a.x, a.y, a.z, a.w}, y[4] = {b.x, b.y, b.z, b.w};

#pragma unroll
    for (int i = 0; i < 4; i++) {
        sum += bf16_first(x[i]) * bf16_first(y[i]);
        sum += bf16_second(x[i]) * bf16_second(y[i]);
    }
    return sum;
}

/* gemv/warp takes any k. Other variants call it for rows that do not start at
 * multiples of 16 bytes. */
extern "C" int gemv_warp(const struct kernel_case *c,
                         const struct kernel_env *env, void *const *buf,
                         void *state);

#endif

/*
 * kernels/gemm32/product.cuh - what the kernels of this family share: the
 * buffers, and the way in and out at the edges.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k], all row-major and f32. So a row of A and a
 * row of B both run along k: the layout of a linear layer, whose weights are B.
 */
#ifndef KERNELS_GEMM32_PRODUCT_CUH
#define KERNELS_GEMM32_PRODUCT_CUH

#include "kernels/kernel.h"
#include "kernels/tensor_map.cuh"
#include "kernels/warp.h"
#include "kernels/wgmma.cuh"

#include <stdlib.h>

enum { WIDTH = 4 /* elements in 16 bytes */ };

/* A case's arguments: C is m x n, A m x k, B n x k. */
struct product {
    float *c;
    const float *a, *b;
    int m, n, k;
};

static inline struct product product_of(const struct kernel_case *c,
                                        void *const *buf)
{
    struct product p = {(float *)buf[2],         (const float *)buf[0],
                        (const float *)buf[1],   (int)kernel_num(c, "m"),
                        (int)kernel_num(c, "n"), (int)kernel_num(c, "k")};
    return p;
}

static __host__ __device__ inline int ceil_div(int a, int b)
{
    return (a + b - 1) / b;
}

/* Element (row, k) of a matrix of `rows` rows of `depth`; zero beyond its
 * edges. */
static __device__ __forceinline__ float one_of(const float *x, int rows,
                                               int depth, int row, int k)
{
    return row < rows && k < depth ? x[(size_t)row * depth + k] : 0;
}

/* Four elements from (row, k) on, k a multiple of four; zeros beyond the
 * edges. */
static __device__ __forceinline__ float4 four_of(const float *x, int rows,
                                                 int depth, int row, int k)
{
    if (depth % WIDTH == 0 && row < rows && k < depth)
        return *(const float4 *)(x + (size_t)row * depth + k);
    return make_float4(
        one_of(x, rows, depth, row, k), one_of(x, rows, depth, row, k + 1),
        one_of(x, rows, depth, row, k + 2), one_of(x, rows, depth, row, k + 3));
}

/* An output, if C has it. */
static __device__ __forceinline__ void put(const struct product &p, int row,
                                           int col, float sum)
{
    if (row < p.m && col < p.n)
        p.c[(size_t)row * p.n + col] = sum;
}

/* gemm32/warps takes any shape. Variants that copy 16 bytes at a time call it
 * for rows that do not start at multiples of 16 bytes. */
extern "C" int gemm32_warps(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *state);

#endif

/*
 * kernels/gemm8/product.cuh - what the kernels of this family share: the
 * buffers and the scales of whole tensors.
 *
 * C[i][j] = scale Σ_k A[i][k] B[j][k], all row-major; A and B in e4m3, C in
 * bf16.
 *
 * Whoever moves bytes need not know what they are. A row of a TMA tile is 128
 * bytes: 64 elements of bf16, or 128 of e4m3. So the slots, pairs and panels of
 * kernels/gemm16 stay as they are, and call two neighbours of e4m3 one element:
 * their k is half of ours.
 */
#ifndef KERNELS_GEMM8_PRODUCT_CUH
#define KERNELS_GEMM8_PRODUCT_CUH

#include "kernels/gemm16/product.cuh"
#include "kernels/gemm8/wgmma.cuh"

enum { STEP = 4 /* products in a slot, 128 of k */ };

/* A case's arguments, for kernels/gemm16: k counts pairs of elements, and is
 * a multiple of 16 before that. */
static inline struct product pairs_product(const struct kernel_case *c,
                                           void *const *buf)
{
    struct product p = product_of(c, buf);

    p.k /= 2;
    return p;
}

/* ---- scales ---- */

/*
 * The scales of A and B as a whole, at `scales`, as a library takes them: two
 * numbers in memory. They are 2 and 1/2 here, so sums stay exact, and who
 * forgets one of them is wrong by a factor of two.
 */
static __device__ __forceinline__ float tensor_scale(const float *scales)
{
    return scales[0] * scales[1];
}

static inline const char *tensor_scales_make(void *scales,
                                             const struct kernel_env *env)
{
    const float both[2] = {2.0f, 0.5f};

    return cudaMemcpyAsync(scales, both, sizeof both, cudaMemcpyHostToDevice,
                           (cudaStream_t)env->stream) == cudaSuccess
               ? NULL
               : "the scales cannot be written";
}

/* Scales of blocks of 128 x 128 elements of B lie along k; the first of the
 * next 128 rows lies a multiple of 16 bytes behind, as cuBLAS wants it. */
static __device__ __forceinline__ int block_pitch(const product &p)
{
    return ceil_div(ceil_div(p.k, 64), 4) * 4;
}

template <int S>
static __device__ __forceinline__ void scale_all(float (&sum)[S], float by)
{
#pragma unroll
    for (int r = 0; r < S; r++)
        sum[r] *= by;
}

#endif

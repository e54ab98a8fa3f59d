/*
 * kernels/gemmtf32/product.cuh - what the kernels of this family share: the
 * tensor maps, the way of sums to memory, and how a number is split.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k], all row-major and f32. The buffers are those
 * of gemm32.
 */
#ifndef KERNELS_GEMMTF32_PRODUCT_CUH
#define KERNELS_GEMMTF32_PRODUCT_CUH

#include "kernels/gemm32/product.cuh"
#include "kernels/gemmtf32/wgmma.cuh"

/* Two neighbours of a row of C, as far as C has them. */
static __device__ __forceinline__ void
put_pair(const struct product &p, int row, int col, float first, float second)
{
    float *to = p.c + (size_t)row * p.n + col;

    if (row >= p.m || col >= p.n)
        return;
    if (p.n % 2 == 0) {
        *(float2 *)to = make_float2(first, second);
        return;
    }
    to[0] = first;
    if (col + 1 < p.n)
        to[1] = second;
}

/* Sums of a warp group, as wgmma_tf32() leaves them, to C: 64 rows from `row`
 * on, 2 S columns from `col` on. */
template <int S>
static __device__ __forceinline__ void
put_sums(const struct product &p, int row, int col, const float (&d)[S])
{
    const int warp = threadIdx.x % WGMMA_GROUP / WARP;
    const int lane = threadIdx.x % WARP;

#pragma unroll
    for (int r = 0; r < S; r += 2)
        put_pair(p, row + warp * 16 + lane / 4 + r / 2 % 2 * 8,
                 col + r / 4 * 8 + lane % 4 * 2, d[r], d[r + 1]);
}

/* ---- a number as the sum of two of tf32 ---- */

enum : uint32_t {
    SPLIT_KEPT = 0xffffe000, /* the bits of an f32 that tf32 has */
    SPLIT_HALF = 0x1000,     /* half of the last of them */
};

/* What the tensor cores read of x. */
static __device__ __forceinline__ float split_high(float x)
{
    return __uint_as_float(__float_as_uint(x) & SPLIT_KEPT);
}

/* What is left over, 13 bits of it. Half a unit is added to the 11 that the
 * tensor cores read, so they round it in effect. */
static __device__ __forceinline__ uint32_t split_low(float x)
{
    return __float_as_uint(x - split_high(x)) + SPLIT_HALF;
}

/* ---- tensor maps ---- */

/* The state of launch(): tensor maps, and whether the TMA can move the case. */
struct maps {
    CUtensorMap a, b, c;
};

/*
 * Makes tensor maps for tiles of `a` rows of A, `b` of B and `c` of C (0:
 * none), 32 elements wide. *state is NULL if rows do not start at multiples of
 * 16 bytes: the case is then left to gemmtf32/mma or mma3.
 */
static inline const char *maps_open(const struct product *p, int a, int b,
                                    int c, void **state)
{
    struct maps *m;
    const char *why;

    *state = NULL;
    if (p->k % WIDTH != 0 || (c != 0 && p->n % WIDTH != 0))
        return NULL;
    m = (struct maps *)aligned_alloc(alignof(struct maps), sizeof *m);
    if (m == NULL)
        abort();
    why = tensor_map_make<float>(&m->a, p->a, p->m, p->k, a);
    if (why == NULL)
        why = tensor_map_make<float>(&m->b, p->b, p->n, p->k, b);
    if (why == NULL && c != 0)
        why = tensor_map_make<float>(&m->c, p->c, p->m, p->n, c);
    if (why != NULL) {
        free(m);
        return why;
    }
    *state = m;
    return NULL;
}

/* These take any shape. Other variants call them for rows that do not start at
 * multiples of 16 bytes. */
extern "C" int gemmtf32_mma(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *state);
extern "C" int gemmtf32_mma3(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *state);

#endif

/*
 * kernels/gemm16/product.cuh - what the kernels of this family share: the
 * buffers, the tensor maps, and the way of sums to memory.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k], all row-major and bf16, sums in f32. So a
 * row of A and a row of B both run along k: the layout of a linear layer, whose
 * weights are B.
 */
#ifndef KERNELS_GEMM16_PRODUCT_CUH
#define KERNELS_GEMM16_PRODUCT_CUH

#include "kernels/bf16.h"
#include "kernels/kernel.h"
#include "kernels/tensor_map.cuh"
#include "kernels/warp.h"
#include "kernels/wgmma.cuh"

#include <stdlib.h>

enum { WIDTH = 8 /* elements in 16 bytes */ };

/* A case's arguments: C is m x n, A m x k, B n x k. */
struct product {
    uint16_t *c;
    const uint16_t *a, *b;
    int m, n, k;
};

static inline struct product product_of(const struct kernel_case *c,
                                        void *const *buf)
{
    struct product p = {(uint16_t *)buf[2],       (const uint16_t *)buf[0],
                        (const uint16_t *)buf[1], (int)kernel_num(c, "m"),
                        (int)kernel_num(c, "n"),  (int)kernel_num(c, "k")};
    return p;
}

static __host__ __device__ inline int ceil_div(int a, int b)
{
    return (a + b - 1) / b;
}

/* Eight elements from (row, k) on of a matrix of `rows` rows of `depth`; zeros
 * beyond its edges. */
static __device__ __forceinline__ uint4 eight_of(const uint16_t *x, int rows,
                                                 int depth, int row, int k)
{
    const uint16_t *from = x + (size_t)row * depth + k;
    uint32_t word[4] = {};

    if (row >= rows)
        return make_uint4(0, 0, 0, 0);
    if (depth % WIDTH == 0 && k < depth)
        return *(const uint4 *)from;
    for (int i = 0; i < WIDTH && k + i < depth; i++)
        word[i / 2] |= (uint32_t)from[i] << i % 2 * 16;
    return make_uint4(word[0], word[1], word[2], word[3]);
}

/* Two neighbours of a row of C, as far as C has them. */
static __device__ __forceinline__ void
put_pair(const struct product &p, int row, int col, float first, float second)
{
    uint16_t *to = p.c + (size_t)row * p.n + col;

    if (row >= p.m || col >= p.n)
        return;
    if (p.n % 2 == 0) {
        *(uint32_t *)to = bf16_pair(first, second);
        return;
    }
    to[0] = bf16_round(first);
    if (col + 1 < p.n)
        to[1] = bf16_round(second);
}

/* Sums of a warp group, as wgmma_bf16() leaves them, to C: 64 rows from `row`
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

/* The state of launch(): tensor maps, and whether the TMA can move the case. */
struct maps {
    CUtensorMap a, b, c;
};

/*
 * Makes tensor maps for tiles of `a` rows of A, `b` of B and `c` of C (0:
 * none), 64 elements wide. *state is NULL if rows do not start at multiples of
 * 16 bytes: the case is then left to gemm16/mma.
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
    why = tensor_map_make<uint16_t>(&m->a, p->a, p->m, p->k, a);
    if (why == NULL)
        why = tensor_map_make<uint16_t>(&m->b, p->b, p->n, p->k, b);
    if (why == NULL && c != 0)
        why = tensor_map_make<uint16_t>(&m->c, p->c, p->m, p->n, c);
    if (why != NULL) {
        free(m);
        return why;
    }
    *state = m;
    return NULL;
}

/* gemm16/mma takes any shape. Other variants call it for rows that do not start
 * at multiples of 16 bytes. */
extern "C" int gemm16_mma(const struct kernel_case *c,
                          const struct kernel_env *env, void *const *buf,
                          void *state);

#endif

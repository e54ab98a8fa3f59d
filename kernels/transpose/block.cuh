/*
 * kernels/transpose/block.cuh - 16 bytes of a row, and the V×V block of
 * elements that a thread turns in its registers. V = 4 for f32, 8 for bf16.
 */
#ifndef KERNELS_TRANSPOSE_BLOCK_CUH
#define KERNELS_TRANSPOSE_BLOCK_CUH

#include <stdint.h>
#include <string.h>

/* V elements of a row, the most that one instruction moves. */
struct alignas(16) vec {
    uint32_t w[4];
};

/*
 * The first n of V elements at p, zeros for the rest; n may be anything.
 * With WHOLE, p is a multiple of 16 bytes and n is at least V or at most 0.
 */
template <typename T, bool WHOLE>
static __device__ __forceinline__ vec vec_load(const T *p, int n)
{
    constexpr int V = 16 / sizeof(T);
    vec v = {};

    if constexpr (WHOLE) {
        if (n > 0)
            v = *(const vec *)p;
    } else {
        T e[V];

#pragma unroll
        for (int i = 0; i < V; i++)
            e[i] = i < n ? p[i] : T(0);
        memcpy(&v, e, sizeof v);
    }
    return v;
}

/* Writes the first n of V elements to p; n, p and WHOLE as above. */
template <typename T, bool WHOLE>
static __device__ __forceinline__ void vec_store(T *p, vec v, int n)
{
    constexpr int V = 16 / sizeof(T);

    if constexpr (WHOLE) {
        if (n > 0)
            *(vec *)p = v;
    } else {
        T e[V];

        memcpy(e, &v, sizeof v);
#pragma unroll
        for (int i = 0; i < V; i++)
            if (i < n)
                p[i] = e[i];
    }
}

/* The V×V block whose corner is (row, col) of the rows×cols matrix `in`. */
template <typename T, bool WHOLE>
static __device__ __forceinline__ void block_load(vec *r, const T *in, int row,
                                                  int col, int rows, int cols)
{
    constexpr int V = 16 / sizeof(T);

#pragma unroll
    for (int i = 0; i < V; i++)
        r[i] = vec_load<T, WHOLE>(in + (size_t)(row + i) * cols + col,
                                  row + i < rows ? cols - col : 0);
}

/*
 * Row k of the transposed block: element k of each of the V rows in r. For
 * f32 that only renames registers, since k is known to the compiler; for
 * bf16 a byte permutation picks the same half of two rows.
 */
template <typename T>
static __device__ __forceinline__ vec block_column(const vec *r, int k)
{
    vec v;

#pragma unroll
    for (int j = 0; j < 4; j++)
        if constexpr (sizeof(T) == 4)
            v.w[j] = r[j].w[k];
        else
            v.w[j] = __byte_perm(r[2 * j].w[k / 2], r[2 * j + 1].w[k / 2],
                                 k % 2 ? 0x7632 : 0x5410);
    return v;
}

#endif

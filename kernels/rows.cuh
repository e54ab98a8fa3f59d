/*
 * kernels/rows.cuh - rows of a matrix in 16-byte vectors: how the kernels
 * of softmax and norm read, unpack, pack and write them.
 *
 * A row of bf16 (T = uint16_t) has 8 elements in a vector, one of f32
 * (T = float) 4. Arithmetic is in f32 always. Where all rows start at
 * multiples of 16 bytes (WHOLE) a vector lies in its row or outside;
 * otherwise elements are moved one by one into the same places.
 */
#ifndef KERNELS_ROWS_CUH
#define KERNELS_ROWS_CUH

#include "kernels/bf16.h"
#include "kernels/warp.h"

#define ROWS_FN static __device__ __forceinline__

enum { ROWS_VECTOR = 16 /* bytes */ };

template <typename T> constexpr int rows_width = ROWS_VECTOR / sizeof(T);

/* A word of 4 bytes full of -infinity. */
template <typename T> ROWS_FN uint32_t rows_minus_infinity(void)
{
    return sizeof(T) == 2 ? 0xff80ff80u : 0xff800000u;
}

ROWS_FN float rows_value(float v)
{
    return v;
}

ROWS_FN float rows_value(uint16_t v)
{
    return bf16_value(v);
}

ROWS_FN void rows_put(float *to, float v)
{
    *to = v;
}

ROWS_FN void rows_put(uint16_t *to, float v)
{
    *to = (uint16_t)bf16_pair(v, v);
}

/* The elements of a vector as floats. */
template <typename T> ROWS_FN void rows_unpack(uint4 v, float *x)
{
    const uint32_t word[4] = {v.x, v.y, v.z, v.w};

#pragma unroll
    for (int k = 0; k < 4; k++) {
        if (sizeof(T) == 2) {
            x[2 * k] = bf16_first(word[k]);
            x[2 * k + 1] = bf16_second(word[k]);
        } else {
            x[k] = __uint_as_float(word[k]);
        }
    }
}

/* The way back, rounded. */
template <typename T> ROWS_FN uint4 rows_pack(const float *x)
{
    uint32_t word[4];

#pragma unroll
    for (int k = 0; k < 4; k++)
        word[k] = sizeof(T) == 2 ? bf16_pair(x[2 * k], x[2 * k + 1])
                                 : __float_as_uint(x[k]);
    return make_uint4(word[0], word[1], word[2], word[3]);
}

/*
 * The vector at element `at` of a row; places behind its end get `fill`.
 */
template <typename T, bool WHOLE>
ROWS_FN uint4 rows_load(const T *row, int at, int cols, uint32_t fill)
{
    uint4 v = make_uint4(fill, fill, fill, fill);

    if (WHOLE) {
        if (at < cols)
            v = *(const uint4 *)(row + at);
    } else {
        T *part = (T *)&v;

#pragma unroll
        for (int k = 0; k < rows_width<T>; k++)
            if (at + k < cols)
                part[k] = row[at + k];
    }
    return v;
}

/* Writes the vector at element `at` of a row, as far as the row goes. */
template <typename T, bool WHOLE>
ROWS_FN void rows_store(T *row, int at, int cols, uint4 v)
{
    if (WHOLE) {
        if (at < cols)
            *(uint4 *)(row + at) = v;
    } else {
        const T *part = (const T *)&v;

#pragma unroll
        for (int k = 0; k < rows_width<T>; k++)
            if (at + k < cols)
                row[at + k] = part[k];
    }
}

#endif

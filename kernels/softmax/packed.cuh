/*
 * kernels/softmax/packed.cuh - a share of a row that stays in registers as it
 * was loaded: two bf16 in a word. softmax/packed has the essay.
 */
#ifndef KERNELS_SOFTMAX_PACKED_CUH
#define KERNELS_SOFTMAX_PACKED_CUH

#include "kernels/softmax/row.cuh"

enum { PACKED_VECTORS = 8 /* of a thread: 64 bf16 or 32 f32 */ };

/* The greater of each of two pairs; a NaN counts for nothing. */
ROWS_FN uint32_t packed_max(uint32_t a, uint32_t b)
{
    uint32_t greater;

    asm("max.bf16x2 %0, %1, %2;" : "=r"(greater) : "r"(a), "r"(b));
    return greater;
}

ROWS_FN float packed_top(const uint4 *in, uint16_t)
{
    uint32_t top = rows_minus_infinity<uint16_t>();

#pragma unroll
    for (int k = 0; k < PACKED_VECTORS; k++) {
        top = packed_max(packed_max(top, in[k].x), in[k].y);
        top = packed_max(packed_max(top, in[k].z), in[k].w);
    }
    return fmaxf(bf16_first(top), bf16_second(top));
}

ROWS_FN float packed_top(const uint4 *in, float)
{
    float top = -CUDART_INF_F;

#pragma unroll
    for (int k = 0; k < PACKED_VECTORS; k++) {
        float v[4];

        rows_unpack<float>(in[k], v);
        top = fmaxf(fmaxf(top, v[0]), fmaxf(fmaxf(v[1], v[2]), v[3]));
    }
    return top;
}

/* Emits no instruction, but keeps the compiler from unpacking all vectors at
 * once, for which there are no registers. */
ROWS_FN void packed_in_turn(uint4 &v)
{
    asm volatile("" : "+r"(v.x), "+r"(v.y), "+r"(v.z), "+r"(v.w));
}

/* The part of the row that `in` makes. There is room for f32 powers in place of
 * f32 elements, so those are kept; of bf16 only the sum is. */
template <typename T>
ROWS_FN softmax_part packed_part(uint4 (&in)[PACKED_VECTORS], float steep)
{
    constexpr int WIDTH = rows_width<T>;
    softmax_part p = {packed_top(in, T()), 0};
    const float base = softmax_base(p.top) * steep;

#pragma unroll
    for (int k = 0; k < PACKED_VECTORS; k++) {
        float v[WIDTH];

        packed_in_turn(in[k]);
        rows_unpack<T>(in[k], v);
#pragma unroll
        for (int i = 0; i < WIDTH; i++) {
            v[i] = softmax_exp2(fmaf(v[i], steep, -base));
            p.sum += v[i];
        }
        if (sizeof(T) == 4)
            in[k] = rows_pack<T>(v);
    }
    return p;
}

/*
 * `in` becomes the quotients, once the whole row is known. For bf16 the sum
 * goes into the exponent as a logarithm, which saves a multiplication.
 */
template <typename T>
ROWS_FN void packed_finish(uint4 (&in)[PACKED_VECTORS], softmax_part mine,
                           softmax_part row, float steep)
{
    constexpr int WIDTH = rows_width<T>;
    const float factor = softmax_factor(mine.top, row, steep);
    const float less = fmaf(softmax_base(row.top), steep, __log2f(row.sum));

#pragma unroll
    for (int k = 0; k < PACKED_VECTORS; k++) {
        float v[WIDTH];

        packed_in_turn(in[k]);
        rows_unpack<T>(in[k], v);
#pragma unroll
        for (int i = 0; i < WIDTH; i++)
            v[i] = sizeof(T) == 4 ? v[i] * factor
                                  : softmax_exp2(fmaf(v[i], steep, -less));
        in[k] = rows_pack<T>(v);
    }
}

#endif

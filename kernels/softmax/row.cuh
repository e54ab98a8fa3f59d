/*
 * kernels/softmax/row.cuh - the arithmetic that the kernels of softmax
 * share. All exponentials are powers of two of t = x s log2(e), and a part
 * of a row is known by two numbers: its maximum `top`, in units of x, and
 * the sum of its 2^(t - top).
 */
#ifndef KERNELS_SOFTMAX_ROW_CUH
#define KERNELS_SOFTMAX_ROW_CUH

#include "kernels/rows.cuh"
#include "kernels/softmax/softmax.h"
#include "kernels/sum.cuh"

#include <math_constants.h>

/* A case's arguments. */
template <typename T> struct softmax_task {
    T *y;
    const T *x;
    int rows, cols;
    float steep; /* s log2(e) */
};

template <typename T>
static softmax_task<T> softmax_task_of(const struct kernel_case *c,
                                       void *const *buf)
{
    const double log2e = 1.4426950408889634;

    return {(T *)buf[SOFTMAX_Y], (const T *)buf[SOFTMAX_X], softmax_rows(c),
            softmax_cols(c), (float)(softmax_scale(c) * log2e)};
}

/* 2^t, to 2 units in the last place; results below 2^-126 are 0. */
ROWS_FN float softmax_exp2(float t)
{
    float power;

    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(t));
    return power;
}

ROWS_FN float softmax_max_warp(float v)
{
#pragma unroll
    for (int lane = WARP / 2; lane > 0; lane /= 2)
        v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, lane));
    return v;
}

/*
 * Exponents are relative to this: the maximum, or 0 if the maximum is
 * -infinity, since -infinity minus itself is NaN.
 */
ROWS_FN float softmax_base(float top)
{
    return top == -CUDART_INF_F ? 0.0f : top;
}

/* A part of a row. */
struct softmax_part {
    float top, sum;
};

/* All lanes of a warp get the part that theirs make together. */
ROWS_FN softmax_part softmax_join_warp(softmax_part p, float steep)
{
    const float top = softmax_max_warp(p.top), base = softmax_base(top);

    p.sum *= softmax_exp2((p.top - base) * steep);
    return {top, sum_warp(p.sum)};
}

/*
 * The parts part[0 … n-1] in shared memory, joined by a warp, n at most
 * 32 * MOST.
 */
template <int MOST>
ROWS_FN softmax_part softmax_join(const softmax_part *part, int n, float steep)
{
    softmax_part mine = {-CUDART_INF_F, 0}, in[MOST];
    const int lane = threadIdx.x % WARP;

#pragma unroll
    for (int k = 0; k < MOST; k++) {
        const int i = lane + k * WARP;

        in[k] = i < n ? part[i] : softmax_part{-CUDART_INF_F, 0};
        mine.top = fmaxf(mine.top, in[k].top);
    }
#pragma unroll
    for (int k = 0; k < MOST; k++)
        mine.sum += in[k].sum *
                    softmax_exp2((in[k].top - softmax_base(mine.top)) * steep);
    return softmax_join_warp(mine, steep);
}

/* v becomes 2^(t - top) with top the greatest of v; the part is returned. */
template <int N> ROWS_FN softmax_part softmax_raise(float (&v)[N], float steep)
{
    softmax_part p = {-CUDART_INF_F, 0};

#pragma unroll
    for (int i = 0; i < N; i++)
        p.top = fmaxf(p.top, v[i]);
    const float base = softmax_base(p.top) * steep;
#pragma unroll
    for (int i = 0; i < N; i++) {
        v[i] = softmax_exp2(fmaf(v[i], steep, -base));
        p.sum += v[i];
    }
    return p;
}

/* The factor by which the 2^(t - mine) of a part are multiplied at the end. */
ROWS_FN float softmax_factor(float mine, softmax_part row, float steep)
{
    return __fdividef(softmax_exp2((mine - softmax_base(row.top)) * steep),
                      row.sum);
}

#endif

/*
 * kernels/prefill/online.cuh - the online softmax on what tensor cores leave.
 *
 * mma and wgmma leave a tile of scores alike: s[4c + e] of lane l is in row
 * l/4 + 8 (e/2) of the warp's 16, and in column 8c + 2 (l mod 4) + e mod 2. So
 * a lane has two rows, and four neighbouring lanes share them.
 */
#ifndef KERNELS_PREFILL_ONLINE_CUH
#define KERNELS_PREFILL_ONLINE_CUH

#include "kernels/prefill/attention.cuh"

/* Of the two rows of a lane: the maximum so far, as it comes from the product,
 * and this lane's part of the sum of weights so far. */
struct online {
    float top[2], sum[2];
};

static __device__ __forceinline__ struct online online_begin(void)
{
    return {{-INFINITY, -INFINITY}, {0, 0}};
}

static __device__ __forceinline__ float over_four(float v, bool sum)
{
#pragma unroll
    for (int step = 1; step <= 2; step *= 2) {
        const float w = __shfl_xor_sync(0xffffffffu, v, step);

        v = sum ? v + w : fmaxf(v, w);
    }
    return v;
}

/* What a query does not see gets a weight of zero. Row h of the lane sees so
 * many keys of this tile, counted from its first. */
template <int S>
static __device__ __forceinline__ void hide(float (&s)[S], int seen0, int seen1)
{
    const int col = threadIdx.x % 4 * 2;

#pragma unroll
    for (int i = 0; i < S; i++) {
        const int key = i / 4 * 8 + col + i % 2;

        if (key >= (i / 2 % 2 ? seen1 : seen0))
            s[i] = -INFINITY;
    }
}

// ANCHOR: soften
/*
 * Scores become weights: 2^(scale (s - maximum)), where scale has log2(e) in
 * it. The product with the maximum is made once, so a weight costs a fused
 * multiply-add and a power. back[] is what old sums must be multiplied by.
 *
 * A row that has seen no key yet has the maximum -infinity, which counts as 0:
 * its weights are zero.
 */
template <int S>
static __device__ __forceinline__ void
soften(float (&s)[S], float scale, struct online &o, float (&back)[2])
{
#pragma unroll
    for (int h = 0; h < 2; h++) {
        float most = o.top[h], by, part = 0;

#pragma unroll
        for (int i = 2 * h; i < S; i += 4)
            most = fmaxf(most, fmaxf(s[i], s[i + 1]));
        most = over_four(most, false);
        by = most == -INFINITY ? 0 : most * scale;
        back[h] = ptx_exp2(o.top[h] * scale - by);
#pragma unroll
        for (int i = 2 * h; i < S; i += 4) {
            s[i] = ptx_exp2(s[i] * scale - by);
            s[i + 1] = ptx_exp2(s[i + 1] * scale - by);
            part += s[i] + s[i + 1];
        }
        o.top[h] = most;
        o.sum[h] = o.sum[h] * back[h] + part;
    }
}
// ANCHOR_END: soften

/* Old sums are brought to the new maximum. */
template <int S>
static __device__ __forceinline__ void scale_rows(float (&o)[S],
                                                  const float (&by)[2])
{
#pragma unroll
    for (int i = 0; i < S; i++)
        o[i] *= by[i / 2 % 2];
}

/* Divides by the sum of weights, and writes 16 rows of head h from `row` on. */
template <int D>
static __device__ __forceinline__ void put_rows(const attention &a, int row,
                                                int h, const float (&o)[D / 2],
                                                const struct online &of)
{
    const int lane = threadIdx.x % WARP;

#pragma unroll
    for (int below = 0; below < 2; below++) {
        const int i = row + lane / 4 + 8 * below;
        const float by = 1 / over_four(of.sum[below], true);
        uint16_t *const to = a.o + row_of<D>(a, i, h) + lane % 4 * 2;

        if (i >= a.l)
            continue;
#pragma unroll
        for (int c = 0; c < D / 8; c++)
            *(uint32_t *)(to + c * 8) = bf16_pair(
                o[4 * c + 2 * below] * by, o[4 * c + 2 * below + 1] * by);
    }
}

/* 16 weights of a row as the left operand of a product over 16 keys: the sums
 * of one product lie as the next one wants them. */
template <int S>
static __device__ __forceinline__ void weights(uint32_t (&p)[4],
                                               const float (&s)[S], int step)
{
#pragma unroll
    for (int i = 0; i < 4; i++)
        p[i] = bf16_pair(s[8 * step + 2 * i], s[8 * step + 2 * i + 1]);
}

#endif

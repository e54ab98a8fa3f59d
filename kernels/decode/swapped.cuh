/*
 * kernels/decode/swapped.cuh - keys as rows of a product, and heads as columns.
 */
#ifndef KERNELS_DECODE_SWAPPED_CUH
#define KERNELS_DECODE_SWAPPED_CUH

#include "kernels/decode/ptx.cuh"
#include "kernels/decode/share.cuh"

/* Heads 8 n + 2 t and the next one, where t is the lane mod 4, belong to a
 * lane: weight n, and of each piece of 16 elements sums 4 n to 4 n + 3. */
template <int ROWS> struct swapped {
    enum { N = ROWS / 8, SUMS = DEEP / 16 };

    uint32_t q[SUMS][N][2];
    float o[SUMS][N][4];
    struct weight all[N][2];
};

/* Over the eight lanes that have other keys of the same heads. */
static __device__ __forceinline__ float over_eight(float v, bool sum)
{
#pragma unroll
    for (int step = 4; step < WARP; step *= 2) {
        const float w = __shfl_xor_sync(0xffffffffu, v, step);

        v = sum ? v + w : fmaxf(v, w);
    }
    return v;
}

// ANCHOR: weights
/*
 * Scores of eight heads become weights; back[] is what old sums must be
 * multiplied by. s[j][n][i] is of head 8 n + 2 t + i mod 2 of the row, and of
 * key 16 j + g + 8 (i / 2), where the lane is 4 g + t. Weights and their sums
 * are 2^LIFT times as large as they say.
 */
template <int LIFT = 0, int TURNS, int N>
static __device__ __forceinline__ void
weigh(float (&s)[TURNS][N][4], int n, float scale, int left,
      struct weight (&all)[2], float (&back)[2])
{
    const int key = threadIdx.x % WARP / 4;

#pragma unroll
    for (int h = 0; h < 2; h++) {
        float most = -INFINITY, part = 0;

#pragma unroll
        for (int i = 0; i < 2 * TURNS; i++) {
            float &w = s[i / 2][n][i % 2 * 2 + h];

            w = key + 8 * i < left ? w * scale : -INFINITY;
            most = fmaxf(most, w);
        }
        most = fmaxf(all[h].top, over_eight(most, false));
        const float base = base_of(most);

        back[h] = ptx_exp2(all[h].top - base);
#pragma unroll
        for (int i = 0; i < 2 * TURNS; i++) {
            float &w = s[i / 2][n][i % 2 * 2 + h];

            w = ptx_exp2(LIFT ? w - base + LIFT : w - base);
            part += w;
        }
        all[h].top = most;
        all[h].sum = all[h].sum * back[h] + part;
    }
}
// ANCHOR_END: weights

/* A warp: its sums to shared memory. at(e, i) is the element that sums i and i
 * + 1 of piece e belong to, for i = 0 and 2. */
template <int ROWS, class AT>
static __device__ __forceinline__ void
show_swapped(warp_parts<ROWS> &to, const swapped<ROWS> &x, AT at)
{
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;

#pragma unroll
    for (int n = 0; n < ROWS / 8; n++)
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const int head = 8 * n + lane % 4 * 2 + h;
            const float sum = over_eight(x.all[n][h].sum, true);

#pragma unroll
            for (int e = 0; e < DEEP / 16; e++)
#pragma unroll
                for (int i = 0; i < 2; i++)
                    to.value[warp][head][at(e, 2 * i)] = x.o[e][n][h + 2 * i];
            if (lane / 4 == 0)
                to.weight[warp][head] = {x.all[n][h].top, sum};
        }
}

#endif

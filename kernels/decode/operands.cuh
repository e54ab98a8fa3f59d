/*
 * kernels/decode/operands.cuh - bf16 as operands of products, as
 * kernels/decode/whole.cuh has laid it out.
 */
#ifndef KERNELS_DECODE_OPERANDS_CUH
#define KERNELS_DECODE_OPERANDS_CUH

#include "kernels/decode/whole.cuh"

/* The queries of a row as right operands, in the order in which lanes have
 * elements of keys. */
template <int ROWS>
static __device__ __forceinline__ void
begin_whole(swapped<ROWS> &x, const attention &a, const struct row &r)
{
    const int head = threadIdx.x % WARP / 4, chunk = threadIdx.x % 4;
    const uint16_t *const from =
        a.q + (size_t)(query_of(a, r, 0) + head) * DEEP + chunk * WIDTH;

#pragma unroll
    for (int n = 0; n < ROWS / 8; n++)
#pragma unroll
        for (int i = 0; i < DEEP / 32; i++) {
            const uint4 v = head + 8 * n < r.heads
                                ? sixteen(from + 8 * n * DEEP + i * 32)
                                : make_uint4(0, 0, 0, 0);

#pragma unroll
            for (int j = 0; j < 4; j++)
                x.q[2 * i + j / 2][n][j % 2] = word_of(v, j);
        }
    clear(x);
}

// ANCHOR: score
/* Scores of a warp's 16 keys. Eight heads have two sums, so that a product
 * waits for the last but one. */
template <int ROWS>
static __device__ __forceinline__ void score(float (&s)[1][ROWS / 8][4],
                                             const swapped<ROWS> &x,
                                             const char *tile, int warp)
{
    const int N = ROWS / 8, g = threadIdx.x % WARP / 4, t = threadIdx.x % 4;
    const char *const k =
        tile + g % 2 * K_PITCH + (g / 2 * EIGHTH + warp * SHARE) * KEY + t * 16;
    float odd[4] = {};

#pragma unroll
    for (int i = 0; i < DEEP / 32; i++) {
        const uint4 u = sixteen(k + i * 64), v = sixteen(k + KEY + i * 64);
        const uint32_t one[4] = {u.x, v.x, u.y, v.y};
        const uint32_t two[4] = {u.z, v.z, u.w, v.w};

#pragma unroll
        for (int n = 0; n < N; n++) {
            ptx_mma_bf16(s[0][n], one, x.q[2 * i][n][0], x.q[2 * i][n][1]);
            ptx_mma_bf16(N == 1 ? odd : s[0][n], two, x.q[2 * i + 1][n][0],
                         x.q[2 * i + 1][n][1]);
        }
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        s[0][0][i] += odd[i];
}
// ANCHOR_END: score

// ANCHOR: add
/* Adds weights times values, 64 elements at a time: product m of these has
 * element 8 g + 2 m as row g, and the next one as row g + 8. */
template <int ROWS>
static __device__ __forceinline__ void
add(swapped<ROWS> &x, const uint32_t (&p)[ROWS / 8][2], const char *tile,
    int warp, int turn, int left)
{
#pragma unroll
    for (int c = 0; c < 2; c++) {
        const of_lane v =
            values_of(tile, warp, turn, threadIdx.x % WARP / 4 + 8 * c, left);

#pragma unroll
        for (int m = 0; m < 4; m++) {
            uint32_t b[4];

#pragma unroll
            for (int i = 0; i < 4; i++)
                b[i] = ptx_pair_up(word_of(v.of[i / 2][0], m),
                                   word_of(v.of[i / 2][1], m), i % 2);
#pragma unroll
            for (int n = 0; n < ROWS / 8; n++)
                ptx_mma_bf16(x.o[4 * c + m][n], b, p[n][0], p[n][1]);
        }
    }
}
// ANCHOR_END: add

/* A warp: its sums to shared memory, eight neighbours of a head at a time. */
template <int ROWS>
static __device__ __forceinline__ void show_whole(warp_parts<ROWS> &to,
                                                  const swapped<ROWS> &x)
{
    const int warp = threadIdx.x / WARP % WARPS;
    const int g = threadIdx.x % WARP / 4, t = threadIdx.x % 4;

#pragma unroll
    for (int i = 0; i < ROWS / 2; i++) { /* heads, and halves of each */
        const int n = i / 4, h = i % 2, c = i / 2 % 2, head = 8 * n + 2 * t + h;
        float4 *const at =
            (float4 *)&to.value[warp][head][c * DEEP / 2 + g * 8];
        const float sum = over_eight(x.all[n][h].sum, true);
        const auto of = [&](int e) {
            return x.o[4 * c + e / 2][n][h + e % 2 * 2];
        };

        at[0] = make_float4(of(0), of(1), of(2), of(3));
        at[1] = make_float4(of(4), of(5), of(6), of(7));
        if (g == 0)
            to.weight[warp][head] = {x.all[n][h].top, sum};
    }
}

#endif

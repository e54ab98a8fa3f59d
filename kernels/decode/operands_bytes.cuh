/*
 * kernels/decode/operands_bytes.cuh - e4m3 as operands of products in f16, as
 * kernels/decode/whole.cuh has laid it out. Who includes it has defined
 * DECODE_BYTES (kernels/decode/tensor.cuh).
 */
#ifndef KERNELS_DECODE_OPERANDS_BYTES_CUH
#define KERNELS_DECODE_OPERANDS_BYTES_CUH

#include "kernels/decode/whole.cuh"

/* The queries of a row as right operands in f16, in the order in which lanes
 * have elements of keys: a word of four for each product. */
template <int ROWS>
static __device__ __forceinline__ void
begin_whole(swapped<ROWS> &x, const attention &a, const struct row &r)
{
    const int head = threadIdx.x % WARP / 4, chunk = threadIdx.x % 4;
    const uint16_t *const from =
        a.q + (size_t)(query_of(a, r, 0) + head) * DEEP + chunk * 16;

#pragma unroll
    for (int n = 0; n < ROWS / 8; n++)
#pragma unroll
        for (int e = 0; e < DEEP / 16; e++) {
            const uint2 v = head + 8 * n < r.heads
                                ? *(const uint2 *)(from + 8 * n * DEEP +
                                                   e / 4 * 64 + e % 4 * 4)
                                : make_uint2(0, 0);

            x.q[e][n][0] = ptx_f16_pair(bf16_first(v.x), bf16_second(v.x));
            x.q[e][n][1] = ptx_f16_pair(bf16_first(v.y), bf16_second(v.y));
        }
    clear(x);
}

// ANCHOR: score
/* Scores of a warp's 32 keys, in two turns that do not wait for each other. */
template <int ROWS>
static __device__ __forceinline__ void score(float (&s)[2][ROWS / 8][4],
                                             const swapped<ROWS> &x,
                                             const char *tile, int warp)
{
    const int g = threadIdx.x % WARP / 4, t = threadIdx.x % 4;
    const char *const k =
        tile + g % 2 * K_PITCH + (g / 2 * EIGHTH + warp * SHARE) * KEY + t * 16;

#pragma unroll
    for (int half = 0; half < 2; half++)
#pragma unroll
        for (int i = 0; i < 2; i++) {
            const char *const at = k + 2 * i * KEY + half * 64;
            const uint4 u = sixteen(at), v = sixteen(at + KEY);

#pragma unroll
            for (int m = 0; m < 4; m++) {
                const uint32_t upper = word_of(u, m), lower = word_of(v, m);
                const uint32_t keys[4] = {
                    ptx_f16_of_e4m3(upper), ptx_f16_of_e4m3(lower),
                    ptx_f16_of_e4m3(upper >> 16), ptx_f16_of_e4m3(lower >> 16)};

#pragma unroll
                for (int n = 0; n < ROWS / 8; n++)
                    ptx_mma_f16(s[i][n], keys, x.q[4 * half + m][n][0],
                                x.q[4 * half + m][n][1]);
            }
        }
}
// ANCHOR_END: score

// ANCHOR: add
/* Adds weights times values: product e has element 16 g + 2 e as row g, and the
 * next one as row g + 8. */
template <int ROWS>
static __device__ __forceinline__ void
add(swapped<ROWS> &x, const uint32_t (&p)[ROWS / 8][2], const char *tile,
    int warp, int turn, int left)
{
    const of_lane v = values_of(tile, warp, turn, threadIdx.x % WARP / 4, left);

#pragma unroll
    for (int e = 0; e < DEEP / 16; e++) {
        uint32_t b[4];

#pragma unroll
        for (int i = 0; i < 2; i++) {
            const uint32_t two = ptx_pair_bytes(
                word_of(v.of[i][0], e / 2), word_of(v.of[i][1], e / 2), e % 2);

            b[2 * i] = ptx_f16_of_e4m3(two);
            b[2 * i + 1] = ptx_f16_of_e4m3(two >> 16);
        }
#pragma unroll
        for (int n = 0; n < ROWS / 8; n++)
            ptx_mma_f16(x.o[e][n], b, p[n][0], p[n][1]);
    }
}
// ANCHOR_END: add

/* A warp: its sums to shared memory, 16 neighbours of a head at a time. */
template <int ROWS>
static __device__ __forceinline__ void show_whole(warp_parts<ROWS> &to,
                                                  const swapped<ROWS> &x)
{
    const int warp = threadIdx.x / WARP % WARPS;
    const int g = threadIdx.x % WARP / 4, t = threadIdx.x % 4;

#pragma unroll
    for (int i = 0; i < ROWS / 4; i++) {
        const int n = i / 2, h = i % 2, head = 8 * n + 2 * t + h;
        const float sum = over_eight(x.all[n][h].sum, true);

#pragma unroll
        for (int e = 0; e < DEEP / 16; e++)
            *(float2 *)&to.value[warp][head][g * 16 + 2 * e] =
                make_float2(x.o[e][n][h], x.o[e][n][h + 2]);
        if (g == 0)
            to.weight[warp][head] = {x.all[n][h].top, sum};
    }
}

#endif

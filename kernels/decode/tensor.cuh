/*
 * kernels/decode/tensor.cuh - rows on tensor cores: a warp multiplies the
 * queries of a row by 16 keys, and its weights by 16 values.
 *
 * The instruction mma.m16n8k16 has 16 queries. A row has ROWS heads at most, 8
 * or 16; queries that there are not are zeros. The keys of a tile are shared
 * out among the warps of a block, and each warp keeps sums of its own, as
 * prefill/mma does for its queries: s[4c + e] of lane l is in row l/4 + 8 (e/2)
 * and of key 8c + 2 (l mod 4) + e mod 2.
 */
#ifndef KERNELS_DECODE_TENSOR_CUH
#define KERNELS_DECODE_TENSOR_CUH

#include "kernels/decode/attention.cuh"
#include "kernels/prefill/ptx.cuh"

enum {
    WARPS = 4,           /* that multiply */
    MINE = 16,           /* keys of a warp */
    SIDE = WARPS * MINE, /* keys of a tile */
    BESIDE = WARPS * WARP,
};

/* What a lane holds: elements of the queries, sums, and of its two rows the
 * greatest score and its part of the sum of weights. */
struct held {
    uint32_t q[DEEP / 16][4];
    float o[DEEP / 2];
    struct weight all[2];
};

/* The queries of a row as left operands, straight from memory. */
static __device__ __forceinline__ void begin(held &x, const attention &a,
                                             const struct row &r)
{
    const int row = threadIdx.x % WARP / 4, col = threadIdx.x % 4 * 2;
    const uint16_t *const from =
        a.q + (size_t)query_of(a, r, 0) * DEEP + row * DEEP + col;

#pragma unroll
    for (int e = 0; e < DEEP / 16; e++)
#pragma unroll
        for (int i = 0; i < 4; i++)
            x.q[e][i] = row + i % 2 * 8 < r.heads
                            ? *(const uint32_t *)(from + i % 2 * 8 * DEEP +
                                                  e * 16 + i / 2 * 8)
                            : 0;
#pragma unroll
    for (int i = 0; i < DEEP / 2; i++)
        x.o[i] = 0;
    x.all[0] = x.all[1] = {-INFINITY, 0};
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

/* Keys that there are not get a weight of zero: the first `left` are there. */
static __device__ __forceinline__ void hide(float (&s)[MINE / 2], int left)
{
#pragma unroll
    for (int i = 0; i < MINE / 2; i++)
        if (i / 4 * 8 + (int)threadIdx.x % 4 * 2 + i % 2 >= left)
            s[i] = -INFINITY;
}

// ANCHOR: soften
/* Scores become weights; back[] is what old sums must be multiplied by. With
 * eight heads the lower rows are nobody's, and get no weights. */
template <int ROWS>
static __device__ __forceinline__ void soften(float (&s)[MINE / 2], float scale,
                                              struct weight (&all)[2],
                                              float (&back)[2])
{
#pragma unroll
    for (int h = 0; h < 2; h++) {
        float *const mine = s + 2 * h; /* and four behind */

        if (h >= ROWS / 8) {
            mine[0] = mine[1] = mine[4] = mine[5] = 0;
            back[h] = 1;
            continue;
        }
        const float here =
            fmaxf(fmaxf(mine[0], mine[1]), fmaxf(mine[4], mine[5]));
        const float most = fmaxf(all[h].top, over_four(here, false) * scale);
        const float base = base_of(most);

        back[h] = ptx_exp2(all[h].top - base);
#pragma unroll
        for (int i = 0; i < 4; i++) {
            float &w = mine[i / 2 * 4 + i % 2];

            w = ptx_exp2(w * scale - base);
        }
        all[h].top = most;
        all[h].sum =
            all[h].sum * back[h] + ((mine[0] + mine[1]) + (mine[4] + mine[5]));
    }
}
// ANCHOR_END: soften

/* Zeros in place of the elements of values that there are not: a weight of zero
 * would not help against NaN. */
static __device__ __forceinline__ void hide_values(uint32_t (&v)[4], int left)
{
    const int key = threadIdx.x % 4 * 2;

#pragma unroll
    for (int i = 0; i < 4; i++)
        v[i] &= (key + i % 2 * 8 < left ? 0xffffu : 0) |
                (key + i % 2 * 8 + 1 < left ? 0xffff0000u : 0);
}

// ANCHOR: multiply
/*
 * Takes 16 keys in, of which `left` are there, one at least. k(row, e) and
 * v(row, e) say where eight elements of a key and a value from e on lie in
 * shared memory.
 */
template <int ROWS, class K, class V>
static __device__ __forceinline__ void multiply(held &x, float scale, int left,
                                                K k, V v)
{
    const int lane = threadIdx.x % WARP;
    float s[MINE / 2] = {}, back[2];

#pragma unroll
    for (int e = 0; e < DEEP; e += 16) {
        uint32_t b[4];

        ptx_ldmatrix(b, k(lane / 16 * 8 + lane % 8, e + lane / 8 % 2 * WIDTH));
        ptx_mma_bf16(&s[0], x.q[e / 16], b[0], b[1]);
        ptx_mma_bf16(&s[4], x.q[e / 16], b[2], b[3]);
    }
    if (left < MINE)
        hide(s, left);
    soften<ROWS>(s, scale, x.all, back);
    const uint32_t p[4] = {bf16_pair(s[0], s[1]), bf16_pair(s[2], s[3]),
                           bf16_pair(s[4], s[5]), bf16_pair(s[6], s[7])};

#pragma unroll
    for (int e = 0; e < DEEP; e += 16) {
        float *const o = &x.o[e / 2];
        uint32_t b[4];

        ptx_ldmatrix_turned(b, v(lane % 16, e + lane / 16 * WIDTH));
        if (left < MINE)
            hide_values(b, left);
#pragma unroll
        for (int i = 0; i < 8; i++)
            o[i] *= back[i / 2 % 2];
        ptx_mma_bf16(o, p, b[0], b[1]);
        ptx_mma_bf16(o + 4, p, b[2], b[3]);
    }
}
// ANCHOR_END: multiply

/* Parts of a block's warps in shared memory. Rows are 8 floats more apart than
 * they need, so that 16 lanes with two each meet no bank twice. */
template <int ROWS> struct warp_parts {
    float value[WARPS][ROWS][DEEP + 8];
    struct weight weight[WARPS][ROWS];

    __device__ operator parts()
    {
        return {weight[0], value[0][0], ROWS, DEEP + 8};
    }
};

/* A warp: its sums to shared memory. */
template <int ROWS>
static __device__ __forceinline__ void show(warp_parts<ROWS> &to, const held &x)
{
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;

#pragma unroll
    for (int h = 0; h < ROWS / 8; h++) {
        const int row = lane / 4 + 8 * h;
        const float sum = over_four(x.all[h].sum, true);

#pragma unroll
        for (int c = 0; c < DEEP / 8; c++)
            *(float2 *)&to.value[warp][row][c * 8 + lane % 4 * 2] =
                make_float2(x.o[4 * c + 2 * h], x.o[4 * c + 2 * h + 1]);
        if (lane % 4 == 0)
            to.weight[warp][row] = {x.all[h].top, sum};
    }
}

/* The warp of a block: head h of what its warps have shown. */
template <int ROWS>
static __device__ __forceinline__ float4 join_warps(warp_parts<ROWS> &sums,
                                                    int h, struct weight &all)
{
    return join(
        sums, h, WARPS, [](int i) { return i; }, all);
}

/* Are eight rows enough for a group of heads? */
static inline bool few_heads(const attention &a)
{
    return a.heads <= 8 * a.kv;
}

/* Lets a kernel use so much shared memory. */
template <class KERNEL> static inline int with_room(KERNEL *kernel, int bytes)
{
    return cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}

#endif

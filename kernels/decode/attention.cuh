/*
 * kernels/decode/attention.cuh - what the kernels of this family share: a
 * case's arguments, and parts of a row, which are joined.
 *
 * o = softmax(scale q K') v for each head of each sequence. A *row* is what
 * several heads read together: the keys and values of a sequence for one of its
 * heads of keys. So there are b x kv rows, or more, if a group of heads is too
 * large for one block.
 */
#ifndef KERNELS_DECODE_ATTENTION_CUH
#define KERNELS_DECODE_ATTENTION_CUH

#include "kernels/bf16.h"
#include "kernels/decode/decode.h"
#include "kernels/warp.h"
#include "kernels/wgmma.cuh"

enum {
    DEEP = CACHE_DEEP,
    WIDTH = 8,        /* elements in 16 bytes */
    FOURS = DEEP / 4, /* a lane has four elements of an output */
};

/* A case's arguments. */
struct attention {
    uint16_t *o;
    const uint16_t *q, *k, *v;
    const int32_t *where; /* lengths, and behind them pages */
    int b, heads, kv, l;
    int page, room; /* keys of a page, pages of a sequence */
    float scale;    /* with log2(e): powers are of two */
};

static inline struct attention attention_of(const struct kernel_case *c,
                                            void *const *buf)
{
    const struct cache_shape s = decode_shape(c);
    const struct attention a = {(uint16_t *)buf[DECODE_O],
                                (const uint16_t *)buf[DECODE_Q],
                                (const uint16_t *)buf[DECODE_K],
                                (const uint16_t *)buf[DECODE_V],
                                (const int32_t *)buf[DECODE_WHERE],
                                s.b,
                                s.heads,
                                s.kv,
                                s.l,
                                cache_page_keys(&s),
                                cache_room(&s),
                                decode_scale(c) * 1.44269504f};

    return a;
}

static __host__ __device__ inline int ceil_div(int a, int b)
{
    return (a + b - 1) / b;
}

/* Blocks that share a group of heads, `most` each. */
static __host__ __device__ inline int blocks_of_group(const attention &a,
                                                      int most)
{
    return ceil_div(a.heads / a.kv, most);
}

/* A row: a sequence, a head of keys, and which heads of queries. */
struct row {
    int sequence, head; /* of keys */
    int first, heads;   /* of queries */
};

/* Row `n` of b x kv x blocks_of_group(). */
static __device__ __forceinline__ struct row row_of(const attention &a, int n,
                                                    int most)
{
    const int group = a.heads / a.kv, share = ceil_div(group, most);
    const int part = n % share, head = n / share % a.kv;

    return {n / share / a.kv, head, head * group + part * most,
            min(most, group - part * most)};
}

/* Where the keys of a row begin, if the cache is flat. */
static __device__ __forceinline__ size_t keys_of(const attention &a,
                                                 const struct row &r)
{
    return ((size_t)r.sequence * a.kv + r.head) * a.l * DEEP;
}

/* The number of head h of a row among all queries, and all outputs. */
static __device__ __forceinline__ int query_of(const attention &a,
                                               const struct row &r, int h)
{
    return r.sequence * a.heads + r.first + h;
}

/* ---- parts of a row ---- */

/* Of some keys of a row, for one head: the greatest score, and the sum of
 * weights relative to it. The sum of weighted values lies elsewhere. */
struct weight {
    float top, sum;
};

/* Parts in memory: head h of part i has weight[i x heads + h], and its sums of
 * values at value + (i x heads + h) x pitch floats. */
struct parts {
    struct weight *weight;
    float *value;
    int heads, pitch;
};

/* What scores are compared with; where there was no key it is any number. */
static __device__ __forceinline__ float base_of(float top)
{
    return top == -INFINITY ? 0 : top;
}

static __device__ __forceinline__ float max_warp(float v)
{
#pragma unroll
    for (int step = WARP / 2; step > 0; step /= 2)
        v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, step));
    return v;
}

static __device__ __forceinline__ float add_warp(float v)
{
#pragma unroll
    for (int step = WARP / 2; step > 0; step /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, step);
    return v;
}

// ANCHOR: join
/*
 * Joins n parts of head h; part i is number at(i). A warp: each lane gets four
 * elements of the sum of values, and the weight of all. Lane i looks after the
 * weight of part i, so that sums of eight parts can be asked for at once.
 */
template <class AT>
static __device__ __forceinline__ float4 join(const parts &p, int h, int n,
                                              AT at, struct weight &all)
{
    const int lane = threadIdx.x % WARP;
    const auto weight_of = [&](int i) {
        return i < n ? p.weight[at(i) * p.heads + h] : weight{-INFINITY, 0};
    };
    struct weight mine = weight_of(lane);
    float4 sum = make_float4(0, 0, 0, 0);

    all = {mine.top, 0};
    for (int i = lane + WARP; i < n; i += WARP)
        all.top = fmaxf(all.top, weight_of(i).top);
    all.top = max_warp(all.top);
    for (int from = 0; from < n; from += WARP) {
        if (from > 0)
            mine = weight_of(from + lane);
        const float scale = ptx_exp2(mine.top - base_of(all.top));

        all.sum += scale * mine.sum;
#pragma unroll 8
        for (int i = 0; i < min(n - from, (int)WARP); i++) {
            const int place = at(from + i) * p.heads + h;
            const float4 v =
                *(float4 *)(p.value + (size_t)place * p.pitch + 4 * lane);
            const float by = __shfl_sync(0xffffffffu, scale, i);

            sum.x += by * v.x;
            sum.y += by * v.y;
            sum.z += by * v.z;
            sum.w += by * v.w;
        }
    }
    all.sum = add_warp(all.sum);
    return sum;
}
// ANCHOR_END: join

/* A warp: the output of query number `query`. */
static __device__ __forceinline__ void put(const attention &a, int query,
                                           float4 v, struct weight all)
{
    const float by = 1 / all.sum;

    *(uint2 *)(a.o + (size_t)query * DEEP + threadIdx.x % WARP * 4) =
        make_uint2(bf16_pair(v.x * by, v.y * by),
                   bf16_pair(v.z * by, v.w * by));
}

/* A warp: leaves the sums of head h as part number `place`. */
static __device__ __forceinline__ void leave(const parts &p, int place, int h,
                                             float4 v, struct weight all)
{
    const int lane = threadIdx.x % WARP, n = place * p.heads + h;

    *(float4 *)(p.value + (size_t)n * p.pitch + 4 * lane) = v;
    if (lane == 0)
        p.weight[n] = all;
}

/* ---- parts that pass through global memory ---- */

/* Places for `count` parts of so many heads, in scratch memory. */
static __host__ __device__ inline parts parts_at(void *scratch, int count,
                                                 int heads)
{
    float *const value = (float *)scratch;

    return {(struct weight *)(value + (size_t)count * heads * DEEP), value,
            heads, DEEP};
}

static inline size_t parts_bytes(int count, int heads)
{
    return (size_t)count * heads * (DEEP * sizeof(float) + sizeof(weight));
}

#endif

/*
 * kernels/step/attend.cuh - attention of the newest token: keys of a head are
 * cut into pieces, a block for each, and the block that is done last joins
 * them. As in decode/vector, 16 lanes share a key, and a group of heads reads
 * it together. The newest key comes from the page to which it was appended.
 */
#ifndef KERNELS_STEP_ATTEND_CUH
#define KERNELS_STEP_ATTEND_CUH

#include "kernels/gemv/linear.cuh"
#include "kernels/splitk/ptx.cuh"
#include "kernels/step/step.h"

enum {
    ATTEND_WARPS = 4, /* one for each head when pieces are joined */
    ATTEND_THREADS = ATTEND_WARPS * WARP,
    ATTEND_KEYS = 4,                  /* that a lane asks for at once */
    ATTEND_TURN = 2 * ATTEND_KEYS,    /* keys of a warp at a time */
    ATTEND_BLOCKS = 3,                /* on an SM */
    ATTEND_ROUND = 32,                /* pieces are multiples of it */
    ATTEND_MOST = 64,                 /* pieces of a row: two for a lane */
    ATTEND_JOINED = 8,                /* that are asked for at once */
    ATTEND_GROUP = 4,                 /* heads that share keys, at most */
    ATTEND_LANES = STEP_DEEP / WIDTH, /* that share a key */
    ATTEND_AHEAD = 16 * 1024,         /* bytes that are asked for ahead */
};

/* Some keys leave this: their greatest score, and the sum of weights relative
 * to it. */
struct weight {
    float top, sum;
};

struct attend {
    uint16_t *a;
    const uint16_t *q, *k, *v, *keys, *values;
    float *values_of_pieces;         /* [row][piece][head][128] */
    struct weight *weight_of_pieces; /* [row][piece][head] */
    uint32_t *done;                  /* for each row, 0 between launches */
    int kv, past, span, pieces;      /* keys in the cache, and of a piece */
    float scale;                     /* with log2(e): powers are of two */
};

struct attend_shared {
    float value[ATTEND_WARPS][ATTEND_GROUP][STEP_DEEP];
    struct weight weight[ATTEND_WARPS][ATTEND_GROUP];
    bool last;
};

static __device__ inline struct attend_shared *attend_shared_of_block(void)
{
    __shared__ struct attend_shared shared;

    return &shared;
}

/* What scores are compared with; where there was no key it is any number. */
static __device__ __forceinline__ float attend_base(float top)
{
    return top == -INFINITY ? 0 : top;
}

static __device__ __forceinline__ float of_eight(const uint4 &v, int i)
{
    const uint32_t word = i < 2 ? v.x : i < 4 ? v.y : i < 6 ? v.z : v.w;

    return i % 2 ? bf16_second(word) : bf16_first(word);
}

/* What a lane holds of G heads. */
template <int G> struct attend_lane {
    float q[G][WIDTH], o[G][WIDTH];
    struct weight all[G];
};

/* Takes N keys in; those that exist are marked. */
template <int G, int N>
static __device__ __forceinline__ void
attend_take(attend_lane<G> &x, float scale, const uint4 (&k)[N],
            const uint4 (&v)[N], const bool (&exists)[N])
{
#pragma unroll
    for (int g = 0; g < G; g++) {
        float s[N], most = x.all[g].top;

#pragma unroll
        for (int n = 0; n < N; n++) {
            s[n] = 0;
#pragma unroll
            for (int i = 0; i < WIDTH; i++)
                s[n] += x.q[g][i] * of_eight(k[n], i);
#pragma unroll
            for (int step = ATTEND_LANES / 2; step > 0; step /= 2)
                s[n] += __shfl_xor_sync(0xffffffffu, s[n], step);
            s[n] = exists[n] ? s[n] * scale : -INFINITY;
            most = fmaxf(most, s[n]);
        }
        const float base = attend_base(most);
        const float back = ptx_exp2(x.all[g].top - base);

        x.all[g].top = most;
        x.all[g].sum *= back;
#pragma unroll
        for (int i = 0; i < WIDTH; i++)
            x.o[g][i] *= back;
#pragma unroll
        for (int n = 0; n < N; n++) {
            const float w = ptx_exp2(s[n] - base);

            x.all[g].sum += w;
#pragma unroll
            for (int i = 0; i < WIDTH; i++)
                x.o[g][i] += w * of_eight(v[n], i);
        }
    }
}

/* Joins the sums of the two halves of a warp, which have had other keys. */
template <int G>
static __device__ __forceinline__ void attend_halves(attend_lane<G> &x)
{
#pragma unroll
    for (int g = 0; g < G; g++) {
        const float other =
            __shfl_xor_sync(0xffffffffu, x.all[g].top, ATTEND_LANES);
        const float most = fmaxf(x.all[g].top, other);
        const float by = ptx_exp2(x.all[g].top - attend_base(most));

        x.all[g].top = most;
        x.all[g].sum *= by;
        x.all[g].sum +=
            __shfl_xor_sync(0xffffffffu, x.all[g].sum, ATTEND_LANES);
#pragma unroll
        for (int i = 0; i < WIDTH; i++) {
            x.o[g][i] *= by;
            x.o[g][i] += __shfl_xor_sync(0xffffffffu, x.o[g][i], ATTEND_LANES);
        }
    }
}

/* A warp's keys of the piece [first, last), and the page's if it has that. */
template <int G>
static __device__ __forceinline__ void
attend_keys(attend_lane<G> &x, const attend &t, const uint16_t *keys,
            const uint16_t *values, int first, int last)
{
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const int half = lane / ATTEND_LANES, mine = lane % ATTEND_LANES * WIDTH;
    const uint64_t once = ptx_evict_first();

    for (int at = first + warp * ATTEND_TURN; at < last;
         at += ATTEND_WARPS * ATTEND_TURN) {
        uint4 k[ATTEND_KEYS], v[ATTEND_KEYS];
        bool exists[ATTEND_KEYS];

#pragma unroll
        for (int n = 0; n < ATTEND_KEYS; n++) {
            const int key = at + 2 * n + half;
            const size_t from = (size_t)min(key, last - 1) * STEP_DEEP + mine;

            exists[n] = key < last;
            k[n] = eight_once(keys + from, once);
            v[n] = eight_once(values + from, once);
        }
        asm volatile("" ::: "memory"); /* ask for all, then use the first */
        attend_take<G, ATTEND_KEYS>(x, t.scale, k, v, exists);
    }
}

/* The newest key, by the first half of a warp. */
template <int G>
static __device__ __forceinline__ void attend_page(attend_lane<G> &x,
                                                   const attend &t, size_t row)
{
    const int lane = threadIdx.x % WARP;
    const size_t from = row * STEP_DEEP + lane % ATTEND_LANES * WIDTH;
    const uint4 k[1] = {eight(t.k + from)}, v[1] = {eight(t.v + from)};
    const bool exists[1] = {lane < ATTEND_LANES};

    attend_take<G, 1>(x, t.scale, k, v, exists);
}

/* Element `at` of the block's 128 G outputs, joined over n parts: part i has
 * its weight and its value where these functions say. */
template <class WEIGHT, class VALUE>
static __device__ __forceinline__ float
attend_join(int n, WEIGHT weight_of, VALUE value_of, struct weight &all)
{
    float top = -INFINITY, sum = 0, o = 0;

    for (int i = 0; i < n; i++)
        top = fmaxf(top, weight_of(i).top);
    for (int i = 0; i < n; i++) {
        const struct weight w = weight_of(i);
        const float by = ptx_exp2(w.top - attend_base(top));

        sum += w.sum * by;
        o += value_of(i) * by;
    }
    all = {top, sum};
    return o;
}

/* A warp: joins the pieces of its head; a lane has four elements, two pairs.
 * Lane i looks after the weights of pieces i and i + 32. */
template <int G>
static __device__ __forceinline__ uint2 attend_sum(const attend &t, size_t row)
{
    const int lane = threadIdx.x % WARP, g = threadIdx.x / WARP;
    const size_t first = row * t.pieces;
    struct weight mine[ATTEND_MOST / WARP];
    float top = -INFINITY, sum = 0, by[ATTEND_MOST / WARP], o[4] = {};

#pragma unroll
    for (int j = 0; j < ATTEND_MOST / WARP; j++) {
        const int i = j * WARP + lane;

        mine[j] = {-INFINITY, 0};
        if (i < t.pieces)
            mine[j] = t.weight_of_pieces[(first + i) * G + g];
        top = fmaxf(top, mine[j].top);
    }
    for (int step = WARP / 2; step > 0; step /= 2)
        top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, step));
#pragma unroll
    for (int j = 0; j < ATTEND_MOST / WARP; j++) {
        by[j] = ptx_exp2(mine[j].top - attend_base(top));
        sum += mine[j].sum * by[j];
    }
    sum = sum_warp(sum);
    for (int i = 0; i < t.pieces; i += ATTEND_JOINED) {
        float4 v[ATTEND_JOINED];

#pragma unroll
        for (int j = 0; j < ATTEND_JOINED; j++) {
            const size_t at = first + min(i + j, t.pieces - 1);

            v[j] = *(const float4 *)(t.values_of_pieces +
                                     (at * G + g) * STEP_DEEP + lane * 4);
        }
#pragma unroll
        for (int j = 0; j < ATTEND_JOINED; j++) {
            const float all = i < WARP ? by[0] : by[1];
            const float w = __shfl_sync(0xffffffffu, all, (i + j) % WARP);

            if (i + j >= t.pieces)
                continue;
            o[0] += w * v[j].x;
            o[1] += w * v[j].y;
            o[2] += w * v[j].z;
            o[3] += w * v[j].w;
        }
    }
    return make_uint2(bf16_pair(o[0] / sum, o[1] / sum),
                      bf16_pair(o[2] / sum, o[3] / sum));
}

/* A warp: the output of its head. */
template <int G>
static __device__ __forceinline__ void attend_row(const attend &t, size_t row)
{
    const int lane = threadIdx.x % WARP, g = threadIdx.x / WARP;

    *(uint2 *)(t.a + (row * G + g) * STEP_DEEP + lane * 4) =
        attend_sum<G>(t, row);
}

/* The block's outputs: to memory if it has the whole row; else its piece is
 * left, and the block that is last joins all pieces of the row. */
template <int G>
static __device__ __forceinline__ void
attend_finish(const attend &t, attend_shared *shared, size_t row, int piece)
{
    const size_t mine = row * t.pieces + piece;

    for (int at = threadIdx.x; at < G * STEP_DEEP; at += ATTEND_THREADS) {
        const int g = at / STEP_DEEP, e = at % STEP_DEEP;
        struct weight all;
        const float o = attend_join(
            ATTEND_WARPS, [&](int w) { return shared->weight[w][g]; },
            [&](int w) { return shared->value[w][g][e]; }, all);

        if (t.pieces == 1) {
            t.a[row * G * STEP_DEEP + at] = bf16_round(o / all.sum);
            continue;
        }
        t.values_of_pieces[mine * G * STEP_DEEP + at] = o;
        if (e == 0)
            t.weight_of_pieces[mine * G + g] = all;
    }
    if (t.pieces == 1)
        return;
    __syncthreads(); /* all have left their sums */
    if (threadIdx.x == 0) {
        shared->last = part_arrive(&t.done[row]) == t.pieces - 1u;
        if (shared->last)
            t.done[row] = 0; /* for the next launch */
    }
    __syncthreads(); /* all know who is last */
    if (shared->last && threadIdx.x / WARP < G)
        attend_row<G>(t, row);
}

/* blockIdx: the piece, the head of keys, the sequence. */
template <bool OVERLAP, bool AHEAD, int G>
static __global__ void __launch_bounds__(ATTEND_THREADS, ATTEND_BLOCKS)
    attend_pieces(const attend t)
{
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const size_t row = (size_t)blockIdx.z * t.kv + blockIdx.y;
    const int first = blockIdx.x * t.span, last = min(first + t.span, t.past);
    const uint16_t *const keys = t.keys + row * t.past * STEP_DEEP;
    const uint16_t *const values = t.values + row * t.past * STEP_DEEP;
    struct attend_shared *const shared = attend_shared_of_block();
    attend_lane<G> x;

    if (OVERLAP)
        ptx_next_kernel_may_start();
    if (AHEAD && threadIdx.x == 0) {
        const int bytes =
            min((last - first) * STEP_DEEP * 2, (int)ATTEND_AHEAD);

        ptx_bulk_prefetch(keys + (size_t)first * STEP_DEEP, bytes);
        ptx_bulk_prefetch(values + (size_t)first * STEP_DEEP, bytes);
    }
    if (OVERLAP)
        ptx_wait_for_last_kernel(); /* queries are its output */
#pragma unroll
    for (int g = 0; g < G; g++) {
        const uint4 q = eight(t.q + (row * G + g) * STEP_DEEP +
                              lane % ATTEND_LANES * WIDTH);

#pragma unroll
        for (int i = 0; i < WIDTH; i++) {
            x.q[g][i] = of_eight(q, i);
            x.o[g][i] = 0;
        }
        x.all[g] = {-INFINITY, 0};
    }
    attend_keys<G>(x, t, keys, values, first, last);
    if (blockIdx.x == 0 && warp == 0)
        attend_page<G>(x, t, row);
    attend_halves<G>(x);
    if (lane < ATTEND_LANES)
#pragma unroll
        for (int g = 0; g < G; g++) {
#pragma unroll
            for (int i = 0; i < WIDTH; i++)
                shared->value[warp][g][lane * WIDTH + i] = x.o[g][i];
            if (lane == 0)
                shared->weight[warp][g] = x.all[g];
        }
    __syncthreads(); /* the sums of all warps are there */
    attend_finish<G>(t, shared, row, blockIdx.x);
}

/* Keys of a piece, so that all blocks are on the device at once. */
static inline int attend_span(const struct step_shape *s, int sms)
{
    const int past = s->l - 1, rows = s->b * s->kv;
    const int room = ATTEND_BLOCKS * sms / rows;
    const int pieces = room < 1             ? 1
                       : room > ATTEND_MOST ? (int)ATTEND_MOST
                                            : room;
    const int span = (past + pieces - 1) / pieces;

    return (span + ATTEND_ROUND - 1) / ATTEND_ROUND * ATTEND_ROUND;
}

static inline int attend_pieces_of(const struct step_shape *s, int sms)
{
    const int span = attend_span(s, sms);

    return (s->l - 1 + span - 1) / span;
}

/* Bytes of pieces and counters. */
static inline size_t attend_bytes(const struct step_shape *s, int sms)
{
    const size_t rows = (size_t)s->b * s->kv;
    const size_t parts = rows * attend_pieces_of(s, sms) * ATTEND_GROUP;

    return parts * (STEP_DEEP * sizeof(float) + sizeof(struct weight)) +
           rows * sizeof(uint32_t);
}

#endif

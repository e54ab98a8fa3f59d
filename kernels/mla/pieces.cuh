/*
 * kernels/mla/pieces.cuh - sequences cut into pieces, a block for each, and how
 * what they leave is joined.
 *
 * A block's part is 64 heads by 512 columns of f32, 128 KB: as much as 114
 * keys. So pieces are few: no more than fit the SMs at once.
 */
#ifndef KERNELS_MLA_PIECES_CUH
#define KERNELS_MLA_PIECES_CUH

#include "kernels/mla/seesaw.cuh"
#include "kernels/splitk/ptx.cuh"

/* A piece leaves this for each head: its greatest score, times the scale, and
 * the sum of weights relative to it. */
struct weight {
    float top, sum;
};

/* How many pieces have been left; whether all have; how many blocks have read
 * what they want. All zero before and after a launch. */
struct counts {
    uint32_t left, all, read;
};

/* In scratch memory: parts of the heads of a share, `most` for each. */
struct parts {
    float *value;
    struct weight *weight;
    struct counts *counts;
    int most;
};

/* Heads that leave parts, counting those that a share does not have. */
static inline size_t rows_of(const absorbed &a, int most)
{
    return most > 1 ? (size_t)a.b * shares_of(a) * most * HIGH : 0;
}

static inline parts parts_at(const absorbed &a, void *scratch, int most)
{
    const size_t rows = rows_of(a, most);
    float *const value = (float *)scratch;
    struct weight *const weight = (struct weight *)(value + rows * VALUE);

    return {value, weight, (struct counts *)(weight + rows), most};
}

/* As many pieces of a sequence as fit the SMs with those of all others, of at
 * least a pair of tiles. */
static inline int pieces_for(const absorbed &a, int sms, int most)
{
    const int pairs = ceil_div(a.l, GROUPS * KEYS);
    const int fit = sms / (a.b * shares_of(a));
    const int n = fit < pairs ? fit : pairs;

    return n < 1 ? 1 : n < most ? n : most;
}

static inline size_t parts_bytes(const struct kernel_case *c, int sms, int most)
{
    void *const none[MLA_SCRATCH] = {};
    const struct absorbed a = absorbed_of(c, none);

    return rows_of(a, pieces_for(a, sms, most)) *
               (VALUE * sizeof(float) + sizeof(struct weight)) +
           (size_t)a.b * shares_of(a) * sizeof(struct counts);
}

/* Piece `mine` of `n` of a share: its first tile, and how many keys. */
struct piece {
    struct share of;
    int number, mine, n, tile, keys;
};

/* The piece of this block, (share, piece, sequence). There are no keys in it if
 * the sequence has fewer tiles than others have pieces. */
static __device__ __forceinline__ piece piece_of(const absorbed &a, int most)
{
    const int sequence = blockIdx.z, length = a.where[sequence];
    const int tiles = ceil_div(length, (int)KEYS), n = min(most, tiles);
    const int mine = blockIdx.y, first = tiles * mine / n;
    const int end = tiles * (mine + 1) / n;

    return {share_of(a, sequence, blockIdx.x),
            sequence * (int)gridDim.x + (int)blockIdx.x,
            mine,
            n,
            first,
            mine < n ? min(length, end * KEYS) - first * KEYS : 0};
}

/* ---- parts ---- */

/* A group: leaves its sums. */
static __device__ __forceinline__ void leave(const parts &to, const piece &w,
                                             float scale, const live &x)
{
    const int lane = threadIdx.x % WARP;
    const int col = group_of_thread() * COLUMNS + lane % 4 * 2;

#pragma unroll
    for (int below = 0; below < 2; below++) {
        const int head = row_of_warp() + lane / 4 + 8 * below;
        const size_t n = ((size_t)w.number * to.most + w.mine) * HIGH + head;

        if (head >= w.of.heads)
            continue;
#pragma unroll
        for (int c = 0; c < COLUMNS / 8; c++)
            *(float2 *)(to.value + n * VALUE + col + c * 8) =
                make_float2(x.o[4 * c + 2 * below], x.o[4 * c + 2 * below + 1]);
        if (col == 0)
            to.weight[n] = {x.of.top[below] * scale, x.of.sum[below]};
    }
}

/* A sum or a maximum over a warp. */
static __device__ __forceinline__ float over_warp(float v, bool sum)
{
#pragma unroll
    for (int step = WARP / 2; step > 0; step /= 2) {
        const float w = __shfl_xor_sync(0xffffffffu, v, step);

        v = sum ? v + w : fmaxf(v, w);
    }
    return v;
}

// ANCHOR: join
/* A warp: joins the n parts of a head in 64 of its columns, and writes that
 * piece of its output. Lane i looks after the weight of part i, and has two
 * columns, from `col` on; sums of 16 parts are asked for at once. */
static __device__ __forceinline__ void
join_head(const absorbed &a, const parts &p, const piece &w, int head, int col)
{
    const int lane = threadIdx.x % WARP;
    const size_t first = (size_t)w.number * p.most * HIGH + head;
    float top = -INFINITY, sum = 0;
    float2 o = make_float2(0, 0);

    for (int i = lane; i < w.n; i += WARP)
        top = fmaxf(top, p.weight[first + (size_t)i * HIGH].top);
    top = over_warp(top, false);
    for (int from = 0; from < w.n; from += WARP) {
        const int there = min(w.n - from, (int)WARP);
        float scale = 0;

        if (lane < there) {
            const struct weight mine =
                p.weight[first + (size_t)(from + lane) * HIGH];

            scale = ptx_exp2(mine.top - top);
            sum += scale * mine.sum;
        }
#pragma unroll 16
        for (int i = 0; i < there; i++) {
            const float by = __shfl_sync(0xffffffffu, scale, i);
            const size_t part = first + (size_t)(from + i) * HIGH;
            const float2 v = *(const float2 *)(p.value + part * VALUE + col);

            o.x += by * v.x;
            o.y += by * v.y;
        }
    }
    const float by = 1 / over_warp(sum, true);

    *(uint32_t *)(a.o + (size_t)(w.of.query + head) * VALUE + col) =
        bf16_pair(o.x * by, o.y * by);
}
// ANCHOR_END: join

/* Both groups: heads `first` to `end`, a warp for each eighth of a head: of a
 * single head no warp is idle. */
static __device__ __forceinline__ void join_heads(const absorbed &a,
                                                  const parts &p,
                                                  const piece &w, int first,
                                                  int end)
{
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const int EIGHTHS = GROUPS * WARPS;

    for (int n = first * EIGHTHS + warp; n < end * EIGHTHS; n += EIGHTHS)
        join_head(a, p, w, n / EIGHTHS,
                  n % EIGHTHS * (VALUE / EIGHTHS) + lane * 2);
}

/* Both groups: counts the block, and says whether all n have been counted. */
static __device__ __forceinline__ bool is_last(uint32_t *count, int n)
{
    __shared__ bool last;

    ptx_sync_some(ALL_MULTIPLY, TOGETHER); /* all threads have done theirs */
    if (threadIdx.x == 0)
        last = part_arrive(count) == (uint32_t)n - 1;
    ptx_sync_some(ALL_MULTIPLY, TOGETHER);
    return last;
}

/* ---- the end of a piece ---- */

/* The block that is done last joins all heads. */
static __device__ __forceinline__ void
finish_last(const absorbed &a, const parts &p, const piece &w, const live &x)
{
    struct counts *const c = p.counts + w.number;

    if (w.n == 1) {
        put_heads(a, w.of, row_of_warp(), group_of_thread() * COLUMNS, x.o,
                  x.of.sum);
        return;
    }
    leave(p, w, a.scale, x);
    if (!is_last(&c->left, w.n))
        return;
    join_heads(a, p, w, 0, w.of.heads);
    if (threadIdx.x == 0)
        c->left = 0; /* for the next launch */
}

#endif

/*
 * kernels/decode/share.cuh - one block for each SM, and the same number of
 * tiles for each block, whatever rows they belong to.
 *
 * All tiles of all rows are numbered, row after row. With T of them and n
 * blocks, block i has tiles T i / n to T (i + 1) / n. So it may begin in the
 * middle of a row, go through others, and end in the middle of one. A row that
 * several blocks have is joined by the last of them.
 *
 * Numbers of tiles times blocks stay below 2^31: that is some 15 million tiles
 * of 32 KB, which is more than memory holds.
 */
#ifndef KERNELS_DECODE_SHARE_CUH
#define KERNELS_DECODE_SHARE_CUH

#include "kernels/decode/ring.cuh"

/* A place among all tiles: tile `tile` of a row, which has `tiles`; `row` is
 * its number in its sequence, of so many keys. */
struct place {
    int sequence, row, tile, tiles, keys;
};

/* Tiles of a block, and what they are part of. */
struct share {
    int begin, end, all, blocks; /* of all tiles, and of all blocks */
    struct place first;
};

/* Rows of a sequence. */
template <int ROWS>
static __device__ __forceinline__ int rows_of(const attention &a)
{
    return a.kv * blocks_of_group(a, ROWS);
}

/* The sum over the lanes up to this one. */
static __device__ __forceinline__ int sum_below(int v)
{
#pragma unroll
    for (int step = 1; step < WARP; step *= 2) {
        const int below = __shfl_up_sync(0xffffffffu, v, step);

        if ((int)threadIdx.x % WARP >= step)
            v += below;
    }
    return v;
}

/* Keys of a sequence; none behind the last. */
static __device__ __forceinline__ int keys_in(const attention &a, int sequence)
{
    return sequence < a.b ? a.where[sequence] : 0;
}

/* Tile number n of all. A warp: each lane counts the tiles of a sequence, and
 * has read how many `keys` the sequence of its own number has. */
template <int ROWS>
static __device__ __forceinline__ struct place place_of(const attention &a,
                                                        int n, int keys)
{
    const int lane = threadIdx.x % WARP, rows = rows_of<ROWS>(a);
    int first = 0; /* tiles before those of these 32 sequences, of each row */

    for (int s = 0;; s += WARP, keys = keys_in(a, s + lane)) {
        const int upto = first + sum_below(ceil_div(keys, SIDE));
        const int is = /* the first sequence that ends behind n */
            __popc(__ballot_sync(0xffffffffu, upto * rows <= n));

        if (is < WARP) {
            const int has = __shfl_sync(0xffffffffu, keys, is);
            const int tiles = ceil_div(has, SIDE);
            const int before = __shfl_sync(0xffffffffu, upto, is) - tiles;
            const int in = n - before * rows;

            return {s + is, in / tiles, in % tiles, tiles, has};
        }
        first = __shfl_sync(0xffffffffu, upto, WARP - 1);
    }
}

// ANCHOR: share
/* The share of this block; there may be fewer tiles than blocks. A warp. */
template <int ROWS>
static __device__ __forceinline__ struct share share_of(const attention &a)
{
    const int lane = threadIdx.x % WARP, keys = keys_in(a, lane);
    int all = ceil_div(keys, SIDE);

    for (int s = lane + WARP; s < a.b; s += WARP)
        all += ceil_div(keys_in(a, s), SIDE);
    all = __shfl_sync(0xffffffffu, sum_below(all), WARP - 1) * rows_of<ROWS>(a);
    const int blocks = min(gridDim.x, all), b = blockIdx.x;

    if (b >= blocks)
        return {0, 0, all, blocks, {}};
    const int begin = (int)((int64_t)all * b / blocks);
    const int end = (int)((int64_t)all * (b + 1) / blocks);

    return {begin, end, all, blocks, place_of<ROWS>(a, begin, keys)};
}
// ANCHOR_END: share

/* The block that has tile n. */
static __device__ __forceinline__ int block_of(const struct share &s, int n)
{
    return (int)(((int64_t)(n + 1) * s.blocks - 1) / s.all);
}

/* The next row, from its first tile on. */
template <int ROWS>
static __device__ __forceinline__ void next_row(const attention &a,
                                                struct place &p)
{
    p.tile = 0;
    if (++p.row < rows_of<ROWS>(a))
        return;
    p.row = 0;
    p.keys = a.where[min(++p.sequence, a.b - 1)];
    p.tiles = ceil_div(p.keys, SIDE);
}

/* Calls run(place, n, count) for each row of the share: n of its tiles, and how
 * many the block has had before. */
template <int ROWS, class RUN>
static __device__ __forceinline__ void each_row(const attention &a,
                                                const struct share &s, RUN run)
{
    struct place p = s.first;

    for (int at = s.begin; at < s.end;) {
        const int n = min(p.tiles - p.tile, s.end - at);

        run(p, n, at - s.begin);
        at += n;
        next_row<ROWS>(a, p);
    }
}

/* The warp that asks: n tiles of a row of a flat cache. */
template <int SLOTS, int ROWS>
static __device__ __forceinline__ void
fetch_row(const attention &a, const room<SLOTS, ROWS> &now, const maps &m,
          const struct place &p, int n, int count)
{
    const int number = p.sequence * rows_of<ROWS>(a) + p.row;
    const struct row r = row_of(a, number, ROWS);
    const int first = (int)(keys_of(a, r) / DEEP) + p.tile * SIDE;

    for (int i = 0; i < n; i++)
        ask<SIDE>(now, m, count + i, 1, {first + i * SIDE});
}

/* Where blocks leave the sums of rows that others have, too: two places for
 * each block, for the row that it begins with and for the one that it ends
 * with; and counters of rows. */
struct left {
    parts places;
    uint32_t *count;
};

// ANCHOR: row
/* Those that multiply: one row of the share. HELD is what a lane holds:
 * begin(), take() and show() know how. */
template <class HELD, int SLOTS, int ROWS>
static __device__ __forceinline__ void
multiply_row(const attention &a, const room<SLOTS, ROWS> &now,
             const struct share &s, const left &to, const struct place &p,
             int n, int count)
{
    const int number = p.sequence * rows_of<ROWS>(a) + p.row;
    const struct row r = row_of(a, number, ROWS);
    const int begin_of_row = s.begin + count - p.tile;
    const int first = block_of(s, begin_of_row);
    const int last = block_of(s, begin_of_row + p.tiles - 1);
    HELD x;

    begin(x, a, r);
    for (int i = 0; i < n; i++)
        take(now, x, a.scale, count + i, p.keys - (p.tile + i) * SIDE);
    ptx_sync_some(ALL_MULTIPLY, BESIDE); /* nobody reads the sums before */
    show(*now.sums, x);
    ptx_sync_some(ALL_MULTIPLY, BESIDE); /* the sums of all warps are there */
    finish<ROWS>(
        a, r, *now.sums, to.places, last - first + 1, (int)blockIdx.x - first,
        [&](int i) { return 2 * (first + i) + (i == 0); }, to.count + number);
}
// ANCHOR_END: row

/* ---- the host's part ---- */

/* With sums of sixteen heads there is room for a slot less. */
template <int ROWS> constexpr int slots_beside = ROWS == 8 ? 6 : 5;

template <int ROWS> static inline left left_at(int blocks, void *scratch)
{
    return {parts_at(scratch, 2 * blocks, ROWS),
            (uint32_t *)((char *)scratch + parts_bytes(2 * blocks, ROWS))};
}

static inline size_t left_scratch(const struct kernel_case *c,
                                  const struct kernel_env *env)
{
    void *const none[DECODE_SCRATCH] = {};
    const struct attention a = attention_of(c, none);
    const int most = few_heads(a) ? 8 : 16;

    return parts_bytes(2 * env->sms, most) +
           a.b * a.kv * blocks_of_group(a, most) * sizeof(uint32_t);
}

#endif

/*
 * kernels/mla/seesaw.cuh - two warp groups, two tiles, and each score once.
 *
 * Group 0 makes the scores of tiles 0, 2, 4 and so on, group 1 those of the
 * others, and both need the weights of all tiles for their half of the columns.
 * For a pair of tiles:
 *
 *     group 0                          group 1
 *     scores of tile 0                 scores of tile 1
 *     weights 0   --- maximum 0 --->   weights 1
 *     sums += weights 0, tile 0        sums += weights 1, tile 1
 *                 <-- weights 1 ---
 *     sums += weights 1, tile 1   --- weights 0 --->
 *                                      sums += weights 0, tile 0
 *
 * So each group does its softmax while the other one multiplies (DeepSeek calls
 * the order "seesaw", FlashMLA 2025-04). Both follow one maximum: that of group
 * 1 includes that of group 0, which scales its weights once more. Weights go
 * through shared memory, 8 KB. The warps with the same number in both groups
 * have the same 16 heads, and only they exchange anything.
 *
 * A slot has two parts with barriers of their own. `own` are the values that
 * the group adds up which made the tile's scores, and the ninth panel: it is
 * free for the next tile early. `other` is the other group's half.
 */
#ifndef KERNELS_MLA_SEESAW_CUH
#define KERNELS_MLA_SEESAW_CUH

#include "kernels/mla/tiles.cuh"

enum {
    THREADS = TOGETHER + WGMMA_GROUP,
    MAXIMUM_0 = 2, /* numbers of barriers: what is in shared memory */
    WEIGHTS_1,
    WEIGHTS_0,
};

enum part { OWN, OTHER, PARTS };

struct ring {
    uint64_t q, full[GROUPS][PARTS], empty[GROUPS][PARTS];
    float top[GROUPS][HIGH], sum[GROUPS][HIGH];
};

/* Shared memory of the block: queries, a slot for each group's tiles, weights
 * on their way from one group to the other. */
struct room {
    char *q, *weights;
    ring *b;

    enum {
        WEIGHTS = (1 + GROUPS) * TILE,
        RING = WEIGHTS + PANEL_BYTES,
        SHARED = RING + sizeof(ring) + TENSOR_MAP_ALIGN,
    };

    __device__ room(char *raw)
    {
        q = raw + (-ptx_smem(raw) & (TENSOR_MAP_ALIGN - 1));
        weights = q + WEIGHTS;
        b = (ring *)(q + RING);
    }
    __device__ char *slot(int group) const
    {
        return q + (1 + group) * TILE;
    }
};

/* BLOCKS blocks of a cluster fetch their tiles together: a slot is free when
 * all of them are done with it. */
template <int BLOCKS> static __device__ __forceinline__ void ring_init(ring &b)
{
    ptx_mbar_init(&b.q, 1);
    for (int g = 0; g < GROUPS; g++)
        for (int part = 0; part < PARTS; part++) {
            ptx_mbar_init(&b.full[g][part], 1);
            ptx_mbar_init(&b.empty[g][part], WARPS * BLOCKS);
        }
    ptx_mbar_init_fence();
}

/* ---- one thread asks ---- */

/* Panels of a tile whose rows begin at `row`. Of a cluster each block asks for
 * some of the rows, for all of them. */
template <int BLOCKS>
static __device__ __forceinline__ void
ask_rows(char *tile, const maps &m, int row, int first, int end, uint64_t *full)
{
    const int mine = BLOCKS > 1 ? cluster_rank() * (KEYS / BLOCKS) : 0;
    const uint64_t policy = ptx_evict_normal();

    if (BLOCKS == 1)
        ask_panels(tile, &m.keys, row, first, end, full, policy);
    for (int p = first; BLOCKS > 1 && p < end; p++)
        cluster_tile_load(tile + p * PANEL_BYTES + mine * TENSOR_MAP_PANEL,
                          &m.keys, p * PANEL, row + mine, full,
                          (1 << BLOCKS) - 1, policy);
}

/* A part of a group's tile, whose rows begin at `row`, for pair i. */
template <int BLOCKS>
static __device__ __forceinline__ void
ask_part(const room &r, const maps &m, int group, part which, int i, int row)
{
    const int first = (which == OWN ? group : 1 - group) * MINE;
    uint64_t *const full = &r.b->full[group][which];
    char *const tile = r.slot(group);

    ptx_mbar_wait(&r.b->empty[group][which], (i & 1) ^ 1);
    ptx_mbar_expect(full, (MINE + (which == OWN)) * PANEL_BYTES);
    ask_rows<BLOCKS>(tile, m, row, first, first + MINE, full);
    if (which == OWN)
        ask_rows<BLOCKS>(tile, m, row, OF_VALUES, PANELS, full);
}

/* `tiles` tiles, whose rows begin at row_of(0), row_of(1) and so on. Parts are
 * asked for in the order in which they become free: slot 0's `other` last. */
template <int BLOCKS, class ROW>
static __device__ __forceinline__ void ask_pairs(const room &r, const maps &m,
                                                 int tiles, ROW row_of)
{
    for (int i = 0; i * GROUPS < tiles; i++) {
        int row[GROUPS];

        for (int g = 0; g < GROUPS; g++)
            row[g] = i * GROUPS + g < tiles ? row_of(i * GROUPS + g) : -1;
        ask_part<BLOCKS>(r, m, 0, OWN, i, row[0]);
        if (row[1] >= 0) {
            ask_part<BLOCKS>(r, m, 1, OWN, i, row[1]);
            ask_part<BLOCKS>(r, m, 1, OTHER, i, row[1]);
        }
        ask_part<BLOCKS>(r, m, 0, OTHER, i, row[0]);
    }
}

/* ---- a warp group multiplies ---- */

/* Where the lane's chunk of 16 weights of its warp lies: see ptx_ldmatrix(). */
static __device__ __forceinline__ char *weights_at(const room &r, int step)
{
    const int lane = threadIdx.x % WARP, row = row_of_warp() + lane % 16;

    return r.weights + row * TENSOR_MAP_PANEL +
           ((step * 2 + lane / 16) ^ row % 8) * 16;
}

static __device__ __forceinline__ void
leave_weights(const room &r, const uint32_t (&p)[KEYS / WGMMA_DEEP][4])
{
#pragma unroll
    for (int step = 0; step < KEYS / WGMMA_DEEP; step++)
        ptx_stmatrix(weights_at(r, step), p[step]);
}

static __device__ __forceinline__ void
take_weights(const room &r, uint32_t (&p)[KEYS / WGMMA_DEEP][4])
{
#pragma unroll
    for (int step = 0; step < KEYS / WGMMA_DEEP; step++)
        ptx_ldmatrix(p[step], weights_at(r, step));
    wgmma_ready(p);
}

/* The lane's two rows of an array with a number for each head. */
static __device__ __forceinline__ void show_rows(float *to, const float (&v)[2])
{
    const int lane = threadIdx.x % WARP, row = row_of_warp() + lane / 4;

    if (lane % 4 == 0) {
        to[row] = v[0];
        to[row + 8] = v[1];
    }
}

static __device__ __forceinline__ void read_rows(float (&v)[2],
                                                 const float *from)
{
    const int row = row_of_warp() + threadIdx.x % WARP / 4;

    v[0] = from[row];
    v[1] = from[row + 8];
}

/* The group's tile of pair i: scores, of which `left` are of keys that there
 * are. Products begin with the part that comes first. Between the two is a
 * loop that waits, so products behind it have a beginning of their own. Else
 * ptxas inserts one. If it also takes the path for divergent, it runs all of
 * them one at a time (C7520). */
template <int GROUP>
static __device__ __forceinline__ void make_scores(live &x, const room &r,
                                                   int i, int left)
{
    char *const tile = r.slot(GROUP);
    uint64_t *const full = r.b->full[GROUP];

    ptx_mbar_wait(&full[OWN], i & 1);
    if (left < KEYS) {
        ptx_mbar_wait(&full[OTHER], i & 1);
        clear(tile, left, threadIdx.x % WGMMA_GROUP, WGMMA_GROUP);
        ptx_sync_some(ALL_MULTIPLY + WEIGHTS_0 + GROUP, WGMMA_GROUP);
    }
    wgmma_begin();
    start_scores(x, r.q, tile, GROUP * MINE, GROUP * MINE + MINE, false);
    start_scores(x, r.q, tile, OF_VALUES, PANELS, true);
    wgmma_commit();
    ptx_mbar_wait(&full[OTHER], i & 1);
    wgmma_begin();
    start_scores(x, r.q, tile, (1 - GROUP) * MINE, (1 - GROUP) * MINE + MINE,
                 true);
    wgmma_commit();
    wgmma_wait<0>();
    wgmma_landed(x.s);
    if (left < KEYS)
        hide(x.s, left, left);
}

/* The greatest of the lane's two rows of scores, and `most` before. */
static __device__ __forceinline__ void raise(float (&most)[2], const live &x)
{
#pragma unroll
    for (int h = 0; h < 2; h++) {
        float here = x.s[2 * h];

#pragma unroll
        for (int j = 2 * h; j < KEYS / 2; j += 4)
            here = fmaxf(here, fmaxf(x.s[j], x.s[j + 1]));
        most[h] = fmaxf(most[h], over_four(here, false));
    }
}

/* The sums of weights follow a new maximum; by[] is what the sums of values
 * must be multiplied by. */
static __device__ __forceinline__ void
follow(live &x, float scale, const float (&most)[2], float (&by)[2])
{
#pragma unroll
    for (int h = 0; h < 2; h++) {
        by[h] = ptx_exp2((x.of.top[h] - most[h]) * scale);
        x.of.top[h] = most[h];
        x.of.sum[h] *= by[h];
    }
}

/* Scores become weights, relative to the maximum. */
static __device__ __forceinline__ void make_weights(live &x, float scale)
{
#pragma unroll
    for (int h = 0; h < 2; h++) {
        const float base = x.of.top[h] * scale;

#pragma unroll
        for (int j = 2 * h; j < KEYS / 2; j += 4) {
            x.s[j] = ptx_exp2(x.s[j] * scale - base);
            x.s[j + 1] = ptx_exp2(x.s[j + 1] * scale - base);
            x.of.sum[h] += x.s[j] + x.s[j + 1];
        }
    }
}

/* Starts sums of a tile of the group `of`. */
static __device__ __forceinline__ void
add_values(live &x, const room &r, const uint32_t (&p)[KEYS / WGMMA_DEEP][4],
           int group, int of)
{
    wgmma_begin();
    start_values(x, p, r.slot(of), group);
    wgmma_commit();
}

/* Then a part of a slot is free, which all blocks of the cluster are told. */
template <int BLOCKS>
static __device__ __forceinline__ void values_there(live &x, uint64_t *empty)
{
    const uint32_t block = threadIdx.x % WARP;

    wgmma_wait<0>();
    wgmma_landed(x.o);
    if (BLOCKS == 1)
        done_with(empty);
    else if (block < BLOCKS)
        cluster_arrive(empty, block);
}

// ANCHOR: pair
/* Group 0, pair i: `both` tiles, or the first only; `left` keys of it. */
template <int BLOCKS>
static __device__ __forceinline__ void
first_group(live &x, const room &r, float scale, int i, int left, bool both)
{
    float most[2] = {x.of.top[0], x.of.top[1]}, by[2];
    uint32_t p[KEYS / WGMMA_DEEP][4];

    make_scores<0>(x, r, i, left);
    raise(most, x);
    show_rows(r.b->top[0], most);
    ptx_arrive_some(MAXIMUM_0, TOGETHER);
    follow(x, scale, most, by);
    bring_to(x, by);
    make_weights(x, scale);
    pack(x.p, x.s);
    add_values(x, r, x.p, 0, 0);
    if (both) {
        ptx_sync_some(WEIGHTS_1, TOGETHER);
        take_weights(r, p);
        read_rows(most, r.b->top[1]);
        follow(x, scale, most, by);
        scale_rows(x.s, by);
    }
    values_there<BLOCKS>(x, &r.b->empty[0][OWN]);
    pack(x.p, x.s);
    leave_weights(r, x.p);
    ptx_arrive_some(WEIGHTS_0, TOGETHER);
    if (both) {
        bring_to(x, by);
        add_values(x, r, p, 0, 1);
        values_there<BLOCKS>(x, &r.b->empty[1][OTHER]);
    }
}

/* Group 1: the second tile, if there is one; `left` keys of it. */
template <int BLOCKS>
static __device__ __forceinline__ void
second_group(live &x, const room &r, float scale, int i, int left)
{
    float most[2] = {-INFINITY, -INFINITY}, first[2], by[2];
    const bool both = left > 0;

    if (both) {
        make_scores<1>(x, r, i, left);
        raise(most, x);
    }
    ptx_sync_some(MAXIMUM_0, TOGETHER);
    read_rows(first, r.b->top[0]);
    for (int h = 0; h < 2; h++)
        most[h] = fmaxf(most[h], first[h]);
    follow(x, scale, most, by);
    bring_to(x, by);
    if (both) {
        show_rows(r.b->top[1], most);
        make_weights(x, scale);
        pack(x.p, x.s);
        leave_weights(r, x.p);
        ptx_arrive_some(WEIGHTS_1, TOGETHER);
        add_values(x, r, x.p, 1, 1);
        values_there<BLOCKS>(x, &r.b->empty[1][OWN]);
    }
    ptx_sync_some(WEIGHTS_0, TOGETHER);
    take_weights(r, x.p);
    add_values(x, r, x.p, 1, 0);
    values_there<BLOCKS>(x, &r.b->empty[0][OTHER]);
}
// ANCHOR_END: pair

/* The sums of weights of both groups, in both. */
static __device__ __forceinline__ void join_sums(live &x, const room &r,
                                                 int group)
{
    float other[2];

    for (int h = 0; h < 2; h++)
        x.of.sum[h] = over_four(x.of.sum[h], true);
    show_rows(r.b->sum[group], x.of.sum);
    ptx_sync_some(ALL_MULTIPLY, TOGETHER); /* those of both are there */
    read_rows(other, r.b->sum[1 - group]);
    for (int h = 0; h < 2; h++)
        x.of.sum[h] += other[h];
}

/* A group: `keys` keys, from the first tile on that ask_pairs() asks for. Then
 * x has the sums of the group's columns, and those of all weights. */
template <int BLOCKS>
static __device__ __forceinline__ void
multiply_pairs(live &x, const room &r, float scale, int keys, int group)
{
    live_begin(x);
    ptx_mbar_wait(&r.b->q, 0);
    for (int i = 0; i * GROUPS * KEYS < keys; i++) {
        const int left = keys - i * GROUPS * KEYS;

        if (group == 0)
            first_group<BLOCKS>(x, r, scale, i, left, left > KEYS);
        else
            second_group<BLOCKS>(x, r, scale, i, left - KEYS);
    }
    join_sums(x, r, group);
}

/* What all threads do: one asks for the rows of the share's tiles, and groups
 * multiply; then `end(x)` is what they do with the sums. */
template <int BLOCKS = 1, class ROW, class END>
static __device__ __forceinline__ void go(const room &r, const absorbed &a,
                                          const maps &m, const share &w,
                                          int keys, ROW row_of, END end)
{
    const int group = group_of_thread();

    keys = uniform(keys);
    if (threadIdx.x == 0)
        ring_init<BLOCKS>(*r.b);
    if (BLOCKS > 1)
        cluster_sync(); /* the barriers of all blocks are ready */
    else
        __syncthreads(); /* the barriers are ready */
    if (group == GROUPS) {
        wgmma_give_registers<FEW>();
        if (threadIdx.x % WGMMA_GROUP != 0)
            return;
        ask_queries(r.q, m, a, w, &r.b->q);
        ask_pairs<BLOCKS>(r, m, ceil_div(keys, (int)KEYS), row_of);
        return;
    }
    live x;

    wgmma_take_registers<MANY>();
    multiply_pairs<BLOCKS>(x, r, a.scale, keys, group);
    end(x);
}

#endif

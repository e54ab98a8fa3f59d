/*
 * kernels/grouped/pairs.cuh - blocks in pairs that share tokens or weights:
 * grouped/pairs and grouped/halves. The essays are there.
 */
#ifndef KERNELS_GROUPED_PAIRS_CUH
#define KERNELS_GROUPED_PAIRS_CUH

#include "kernels/grouped/later.cuh"
#include "kernels/grouped/walk.cuh"

enum { PAIR = 2 };

/* This block's tile, and whether the pair shares weights; else it shares
 * tokens. */
struct half {
    tile is;
    bool weights;
};

// ANCHOR: pair
/* Pairs of an expert that has `down` rows of tiles: those that share weights,
 * and all of them. */
static __device__ __forceinline__ int pairs_above(int down, int across)
{
    return down / PAIR * across;
}

static __device__ __forceinline__ int pairs_of(int down, int across)
{
    return pairs_above(down, across) + down % PAIR * ceil_div(across, PAIR);
}

/* This block's tile of pair number `i` of an expert. */
static __device__ __forceinline__ half half_of(int i, int begin, int end, int g,
                                               int across)
{
    const int down = ceil_div(end - begin, HIGH), rank = (int)cluster_rank();
    const int above = pairs_above(down, across);
    place at = {down - 1, (i - above) * PAIR + rank};

    if (i < above) {
        at = in_bands(i, BAND / PAIR, down / PAIR, across);
        at.top = at.top * PAIR + rank;
    }
    return {{begin + at.top * HIGH, at.left * WIDE, end, g}, i < above};
}
// ANCHOR_END: pair

/* Calls `each` for this block's tiles, pair of tiles by pair. t.first counts
 * pairs. */
template <class EACH>
static __device__ __forceinline__ void
for_each_pair(const tiles &t, const struct experts &x, EACH each)
{
    const int across = ceil_div(x.n, WIDE);
    int g = 0;

    for (int i = blockIdx.x / PAIR; i < t.first[x.e]; i += gridDim.x / PAIR) {
        g = tiles_expert(t, g, i);
        each(half_of(i - t.first[g], x.begin[g], x.begin[g + 1], g, across));
    }
}

/* The thread that asks: for the block's own tiles, and for its half of what the
 * pair shares, as slots come free in both blocks. */
static __device__ void fetch_pairs(const slots &r, const CUtensorMap *a_map,
                                   const CUtensorMap *b_map, const tiles &t,
                                   const struct experts &x)
{
    const uint64_t keep = ptx_evict_normal();
    const int rank = (int)cluster_rank();
    int i = 0; /* slots filled, over all tiles */

    // ANCHOR: fetch
    /* `rows` rows of a matrix: all of them for this block, or this block's
     * half of them for both. */
    const auto ask = [&](char *to, const CUtensorMap *map, int k, int row,
                         int bytes, bool shared, uint64_t *full) {
        const int half = bytes / 2 / TENSOR_MAP_PANEL;

        if (shared) {
            cluster_tile_load(to + rank * bytes / 2, map, k, row + rank * half,
                              full, (1 << PAIR) - 1, keep);
            return;
        }
        ptx_tile_load(to, map, k, row, full, keep);
        ptx_tile_load(to + bytes / 2, map, k, row + half, full, keep);
    };
    for_each_pair(t, x, [&](const half &w) {
        for (int k = 0; k < x.k; k += DEEP, i++) {
            const int s = i % STAGES;

            cluster_wait(&r.empty[s], (i / STAGES & 1) ^ 1);
            ptx_mbar_expect(&r.full[s], A_BYTES + B_BYTES);
            /* of weights shared, both blocks have the same; likewise tokens */
            ask(r.a + s * A_BYTES, a_map, k, w.is.top, A_BYTES, !w.weights,
                &r.full[s]);
            ask(r.b + s * B_BYTES, b_map, k, w.is.g * x.n + w.is.left, B_BYTES,
                w.weights, &r.full[s]);
        }
    });
    // ANCHOR_END: fetch
}

/* What a warp group says of a slot whose products have ended: a lane of each
 * warp tells each block of the pair. */
struct tell_both {
    const slots &r;

    __device__ void operator()(int s) const
    {
        const uint32_t block = threadIdx.x % WARP;

        if (block < PAIR)
            cluster_arrive(&r.empty[s], block);
    }
};

// ANCHOR: skip
/* A warp group that has no rows of a tile: it says of each slot that it needs
 * it no more. */
static __device__ __forceinline__ void skip(const slots &r, int steps, int &i)
{
    for (int step = 0; step < steps; step++, i++) {
        ptx_mbar_wait(&r.full[i % STAGES], i / STAGES & 1);
        __syncwarp(); /* no lane is left behind by a whole round of slots */
        tell_both{r}(i % STAGES);
    }
}
// ANCHOR_END: skip

/* A warp group: its 64 rows of all tiles. With SKIPS it multiplies nothing
 * where it has no rows. */
template <bool SKIPS>
static __device__ __forceinline__ void compute(const slots &r, const tiles &t,
                                               const struct experts &x,
                                               const sends &to)
{
    const int steps = ceil_div(x.k, DEEP);
    float sum[WIDE / 2];
    later before;
    int i = 0;

    before.row = LATER_NONE;
    // ANCHOR: inner
    for_each_pair(t, x, [&](const half &w) {
        const int row = w.is.top + to.group * WGMMA_HIGH;

        if (SKIPS && row >= w.is.end) {
            skip(r, steps, i);
            return;
        }
        multiply(sum, r, to.group, steps, i, tell_both{r},
                 [&](int step) { later_send(before, x, to, step, false); });
        later_send(before, x, to, steps, true);
        later_take(before, sum, row, w.is.left, w.is.end);
    });
    // ANCHOR_END: inner
    later_end(before, x, to);
}

/* The first warp numbers the pairs of all experts. */
static __device__ __forceinline__ void pairs_number(tiles &t,
                                                    const struct experts &x)
{
    const int across = ceil_div(x.n, WIDE);

    tiles_number(
        t, x, [=](int rows) { return pairs_of(ceil_div(rows, HIGH), across); });
}

/* All threads of a block, whose slots and numbers of tiles are `r` and `t`: one
 * fetches, and warp groups call compute(to). `stores`: the TMA stores outputs.
 */
template <class COMPUTE>
static __device__ __forceinline__ void
pairs_block(const struct experts &x, bool stores, const CUtensorMap *a_map,
            const CUtensorMap *b_map, const CUtensorMap *c_map, const slots &r,
            tiles &t, COMPUTE compute)
{
    const int group = threadIdx.x / WGMMA_GROUP;

    if (threadIdx.x == 0)
        slots_init(r, PAIR * WARPS);
    pairs_number(t, x);
    cluster_sync(); /* barriers and numbers are ready, in both blocks */
    if (group == GROUPS) {
        wgmma_give_registers<FEW>();
        if (threadIdx.x % WGMMA_GROUP == 0)
            fetch_pairs(r, a_map, b_map, t, x);
    } else {
        wgmma_take_registers<MANY>();
        compute(sends{stores ? c_map : NULL, r.behind + group * PANELS * PANEL,
                      group});
    }
    cluster_sync(); /* neither reaches into the other any more */
}

/* Makes the state: tensor maps for halves of what a block has in a slot. */
static inline const char *pairs_open(const struct experts &x, void **state)
{
    return experts_open(x, x.a, x.rows, HIGH / 2, WIDE / 2,
                        later_stores(x) ? WGMMA_HIGH : 0, state);
}

#endif

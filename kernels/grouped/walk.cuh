/*
 * kernels/grouped/walk.cuh - how a resident block goes from tile to tile of all
 * experts: grouped/scheduler and grouped/late.
 */
#ifndef KERNELS_GROUPED_WALK_CUH
#define KERNELS_GROUPED_WALK_CUH

#include "kernels/gemm16/wide.cuh"
#include "kernels/grouped/experts.cuh"

enum { BAND = 16 /* rows of tiles that are numbered together */ };

/* What a block makes at a time: outputs from (top, left) on, rows up to `end`,
 * with weights of expert g. */
struct tile {
    int top, left, end, g;
};

// ANCHOR: walk
/* Calls `each` for all tiles of this block. */
template <class EACH>
static __device__ __forceinline__ void
for_each_tile(const tiles &t, const struct experts &x, EACH each)
{
    const int across = ceil_div(x.n, WIDE);
    int g = 0;

    for (int i = blockIdx.x; i < t.first[x.e]; i += gridDim.x) {
        g = tiles_expert(t, g, i);
        const int begin = x.begin[g], end = x.begin[g + 1];
        const int down = ceil_div(end - begin, HIGH);
        const place at = in_bands(i - t.first[g], BAND, down, across);

        each(tile{begin + at.top * HIGH, at.left * WIDE, end, g});
    }
}
// ANCHOR_END: walk

/* The thread that asks: for the slots of all tiles, as they come free. */
static __device__ void fetch_tiles(const slots &r, const CUtensorMap *a_map,
                                   const CUtensorMap *b_map, const tiles &t,
                                   const struct experts &x)
{
    const uint64_t keep = ptx_evict_normal();
    int i = 0; /* slots filled, over all tiles */

    for_each_tile(t, x, [&](const tile &w) {
        for (int k = 0; k < x.k; k += DEEP, i++) {
            const int s = i % STAGES;

            ptx_mbar_wait(&r.empty[s], (i / STAGES & 1) ^ 1);
            ptx_mbar_expect(&r.full[s], A_BYTES + B_BYTES);
            ptx_tile_load(r.a + s * A_BYTES, a_map, k, w.top, &r.full[s], keep);
            ptx_tile_load(r.b + s * B_BYTES, b_map, k, w.g * x.n + w.left,
                          &r.full[s], keep);
        }
    });
}

/* What a warp group says of a slot whose products have ended. */
struct tell {
    const slots &r;

    __device__ void operator()(int s) const
    {
        if (threadIdx.x % WARP == 0)
            ptx_mbar_arrive(&r.empty[s]);
    }
};

#endif

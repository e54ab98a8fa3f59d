/*
 * kernels/grouped/later.cuh - sums that leave while the next products run, as
 * in gemm16/late, when a tile may end within an expert: grouped/late and
 * grouped/pairs.
 */
#ifndef KERNELS_GROUPED_LATER_CUH
#define KERNELS_GROUPED_LATER_CUH

#include "kernels/gemm16/panels.cuh"
#include "kernels/gemm16/wide.cuh"
#include "kernels/grouped/experts.cuh"

enum {
    STATIC_MOST = sizeof(tiles) + 256, /* bytes of shared memory beside it */
    LATER_SHARED = SLOTS_BYTES + GROUPS * PANELS * PANEL + TENSOR_MAP_ALIGN,
    LATER_PANELS = WIDE / 64, /* side by side in a tile of C */
    LATER_NONE = -1,          /* the row when no outputs wait */
};

static_assert(LATER_SHARED + STATIC_MOST <= 227 << 10, "a block fits an SM");

/* What a warp group has still to send: rounded outputs, from (row, col) on, of
 * which rows up to `end` count. */
struct later {
    uint32_t rounded[WIDE / 4];
    int row, col, end;
};

/* Where panels go: to C by the TMA, if c_map is there. */
struct sends {
    const CUtensorMap *c_map;
    char *panels; /* the group's */
    int group;
};

// ANCHOR: put
/* A panel of 64 x 64 outputs that reaches behind the expert's last row: each
 * thread puts its own pairs, as far as they count. */
static __device__ __forceinline__ void panel_put(const struct experts &x,
                                                 const uint32_t *pair, int row,
                                                 int col, int end)
{
    const int warp = threadIdx.x % WGMMA_GROUP / WARP;
    const int lane = threadIdx.x % WARP;

#pragma unroll
    for (int j = 0; j < PANEL_PAIRS; j++) {
        const int i = row + warp * 16 + lane / 4 + j % 2 * 8;
        const int at = col + j / 2 * 8 + lane % 4 * 2;
        uint16_t *const to = x.c + (size_t)i * x.n + at;

        if (i < end && at < x.n)
            to[0] = (uint16_t)pair[j];
        if (i < end && at + 1 < x.n)
            to[1] = (uint16_t)(pair[j] >> 16);
    }
}
// ANCHOR_END: put

/* Sends the panel of this step; or `rest`, all from `step` on. */
static __device__ __forceinline__ void later_send(const later &l,
                                                  const struct experts &x,
                                                  const sends &to, int step,
                                                  bool rest)
{
    const bool whole = to.c_map != NULL && l.row + WGMMA_HIGH <= l.end;

#pragma unroll
    for (int i = 0; i < LATER_PANELS; i++) {
        if (l.row == LATER_NONE || (rest ? i < step : i != step))
            continue;
        if (whole)
            panel_send(l.rounded + i * PANEL_PAIRS, to.panels, i, to.c_map,
                       to.group, l.row, l.col + i * 64);
        else
            panel_put(x, l.rounded + i * PANEL_PAIRS, l.row, l.col + i * 64,
                      l.end);
    }
}

/* A warp group, which has the sums of 64 rows from `row` on. */
static __device__ __forceinline__ void
later_take(later &l, const float (&sum)[WIDE / 2], int row, int col, int end)
{
    round_sums(l.rounded, sum);
    l.row = row;
    l.col = col;
    l.end = end;
}

/* Does the TMA store outputs? Rows must begin at multiples of 16 bytes. */
static inline bool later_stores(const struct experts &x)
{
    return x.n % WIDTH == 0;
}

/* Behind the last tile: sends what is left, and waits until it is in C. */
static __device__ __forceinline__ void
later_end(const later &l, const struct experts &x, const sends &to)
{
    later_send(l, x, to, 0, true);
    if (threadIdx.x % WGMMA_GROUP == 0)
        ptx_bulk_wait<0>();
}

#endif

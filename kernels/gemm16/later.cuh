/*
 * kernels/gemm16/later.cuh - sums that leave while the next products run, as in
 * gemm16/late.
 */
#ifndef KERNELS_GEMM16_LATER_CUH
#define KERNELS_GEMM16_LATER_CUH

#include "kernels/gemm16/pair.cuh"
#include "kernels/gemm16/panels.cuh"

enum {
    LATER_SHARED = SLOTS_BYTES + GROUPS * PANELS * PANEL + TENSOR_MAP_ALIGN,
    LATER_PANELS = WIDE / 64, /* side by side in a tile of C */
    LATER_NONE = -1,          /* the row when no outputs wait */
};

/* What a warp group has still to send: rounded outputs, from (row, col) on. */
struct later {
    uint32_t rounded[WIDE / 4];
    int row, col;
};

/* Sends the panel of this step; or `rest`, all from `step` on. */
static __device__ __forceinline__ void later_send(const later &l, int step,
                                                  bool rest, char *panels,
                                                  const CUtensorMap *c_map,
                                                  int group)
{
#pragma unroll
    for (int i = 0; i < LATER_PANELS; i++)
        if (l.row != LATER_NONE && (rest ? i >= step : i == step))
            panel_send(l.rounded + i * PANEL_PAIRS, panels, i, c_map, group,
                       l.row, l.col + i * 64);
}

/* Takes the sums of a tile at `at`. */
static __device__ __forceinline__ void
later_take(later &l, const float (&sum)[WIDE / 2], const place &at, int group)
{
    round_sums(l.rounded, sum);
    l.row = at.top + group * WGMMA_HIGH;
    l.col = at.left;
}

/* A warp group: the outputs of its 64 rows, pair of tiles by pair. */
static __device__ __forceinline__ void
later_all(const product &p, const slots &r, int group, const CUtensorMap *c_map)
{
    const int steps = ceil_div(p.k, DEEP);
    char *const panels = r.behind + group * PANELS * PANEL;
    float sum[WIDE / 2];
    later before;
    int i = 0;

    TRACE_OPEN(GROUP, group, threadIdx.x % WGMMA_GROUP == 0);
    before.row = LATER_NONE;
    for (int pair = blockIdx.x / PAIR; pair < pairs_of(p);
         pair += gridDim.x / PAIR) {
        multiply(sum, r, group, steps, i, tell_both{r}, [&](int step) {
            later_send(before, step, false, panels, c_map, group);
        } TRACE_GIVES);
        later_send(before, steps, true, panels, c_map, group);
        later_take(before, sum, place_of(p, pair), group);
    }
    later_send(before, 0, true, panels, c_map, group);
    if (threadIdx.x % WGMMA_GROUP == 0)
        ptx_bulk_wait<0>(); /* the last panels are in C */
    TRACE_CLOSE();
}

#endif

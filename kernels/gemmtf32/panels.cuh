/*
 * kernels/gemmtf32/panels.cuh - sums on their way from registers to C, 64 x 32
 * at a time: through shared memory, and from there by the TMA.
 */
#ifndef KERNELS_GEMMTF32_PANELS_CUH
#define KERNELS_GEMMTF32_PANELS_CUH

#include "kernels/gemmtf32/product.cuh"

enum {
    PANELS = 2,                            /* of a warp group, in turns */
    PANEL = WGMMA_HIGH * TENSOR_MAP_PANEL, /* bytes: 64 x 32 sums */
    PANEL_WIDE = 32,
    PANEL_SUMS = PANEL_WIDE / 2, /* that a thread has of a panel */
};

/*
 * A warp group sends one panel to (row, col) of C; `sum` is what this thread
 * has of it. `panels` are the group's; `turn` counts. Thread 0 of the group
 * sends, and is the one to wait until the TMA has read the panel that was there
 * PANELS turns ago.
 */
static __device__ __forceinline__ void panel_send(const float *sum,
                                                  char *panels, int turn,
                                                  const CUtensorMap *c_map,
                                                  int group, int row, int col)
{
    const int thread = threadIdx.x % WGMMA_GROUP, lane = threadIdx.x % WARP;
    const int high = thread / WARP * 16 + lane / 4; /* its first row */
    char *const to = panels + turn % PANELS * PANEL;

    // ANCHOR: send
    if (thread == 0)
        ptx_bulk_wait_read<PANELS - 1>();
    ptx_sync_some(1 + group, WGMMA_GROUP); /* the panel is free */
#pragma unroll
    for (int r = 0; r < PANEL_SUMS; r += 2) {
        const int mine = high + r / 2 % 2 * 8;
        const int chunk = r / 4 * 2 + lane % 4 / 2;

        *(float2 *)(to + mine * TENSOR_MAP_PANEL + (chunk ^ mine % 8) * 16 +
                    lane % 2 * 8) = make_float2(sum[r], sum[r + 1]);
    }
    ptx_fence_async();
    ptx_sync_some(1 + group, WGMMA_GROUP); /* the panel is whole */
    if (thread == 0) {
        ptx_tile_store(c_map, col, row, to, ptx_evict_first());
        ptx_bulk_commit();
    }
    // ANCHOR_END: send
}

/* All panels of a warp group's sums, from (row, col) on. */
template <int SUMS>
static __device__ __forceinline__ void
send_sums(const float (&sum)[SUMS], char *panels, const CUtensorMap *c_map,
          int group, int row, int col)
{
#pragma unroll
    for (int i = 0; i < SUMS / PANEL_SUMS; i++)
        panel_send(sum + i * PANEL_SUMS, panels, i, c_map, group, row,
                   col + i * PANEL_WIDE);
}

#endif

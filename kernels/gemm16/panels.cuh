/*
 * kernels/gemm16/panels.cuh - outputs on their way from registers to C, 64 x 64
 * at a time: through shared memory, and from there by the TMA.
 */
#ifndef KERNELS_GEMM16_PANELS_CUH
#define KERNELS_GEMM16_PANELS_CUH

#include "kernels/gemm16/product.cuh"

enum {
    PANELS = 2,                            /* of a warp group, in turns */
    PANEL = WGMMA_HIGH * TENSOR_MAP_PANEL, /* bytes: 64 x 64 outputs */
    PANEL_PAIRS = 64 / 4, /* of outputs that a thread has of a panel */
};

/* Sums of a thread as pairs of outputs, in the same order. */
template <int PAIRS, int SUMS>
static __device__ __forceinline__ void round_sums(uint32_t (&pair)[PAIRS],
                                                  const float (&sum)[SUMS])
{
    static_assert(SUMS == 2 * PAIRS, "two sums are a pair");
#pragma unroll
    for (int j = 0; j < PAIRS; j++)
        pair[j] = bf16_pair(sum[2 * j], sum[2 * j + 1]);
}

/*
 * A warp group sends one panel to (row, col) of C; `pair` is what this thread
 * has of it. `panels` are the group's; `turn` counts. Thread 0 of the group
 * sends, and is the one to wait until the TMA has read the panel that was there
 * PANELS turns ago.
 */
static __device__ __forceinline__ void panel_send(const uint32_t *pair,
                                                  char *panels, int turn,
                                                  const CUtensorMap *c_map,
                                                  int group, int row, int col)
{
    const int thread = threadIdx.x % WGMMA_GROUP, lane = threadIdx.x % WARP;
    const int mine = thread / WARP * 16 + lane % 16; /* the row it names */
    char *const to = panels + turn % PANELS * PANEL;

    // ANCHOR: send
    if (thread == 0)
        ptx_bulk_wait_read<PANELS - 1>();
    ptx_sync_some(1 + group, WGMMA_GROUP); /* the panel is free */
#pragma unroll
    for (int j = 0; j < 4; j++) {
        const int chunk = 2 * j + lane / 16;

        ptx_stmatrix(to + mine * TENSOR_MAP_PANEL + (chunk ^ mine % 8) * 16,
                     pair + j * 4);
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
    uint32_t pair[SUMS / 2];

    round_sums(pair, sum);
#pragma unroll
    for (int i = 0; i < SUMS / 2 / PANEL_PAIRS; i++)
        panel_send(pair + i * PANEL_PAIRS, panels, i, c_map, group, row,
                   col + i * 64);
}

#endif

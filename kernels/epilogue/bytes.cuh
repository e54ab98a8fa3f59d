/*
 * kernels/epilogue/bytes.cuh - outputs of SwiGLU as FP8: epilogue/bytes and
 * epilogue/bytes_after.
 *
 * The next product of such a layer is one in FP8, and its operand is this C.
 * So C[i][j] = e4m3(scale[i] silu(gate) up), with a scale for each row that is
 * known beforehand, as after a calibration. Buffers, act=swiglu_e4m3:
 *   0: a  1: b  2: c (out, e4m3)  3: bias  4: scales, f32, one for each row
 * Rows of C are multiples of 16 bytes. The columns of B are in the order of
 * kernels/epilogue/epilogue.h.
 */
#ifndef KERNELS_EPILOGUE_BYTES_CUH
#define KERNELS_EPILOGUE_BYTES_CUH

#include "kernels/epilogue/convert.cuh"
#include "kernels/epilogue/layer.cuh"

enum { BYTES_C = 2, BYTES_SCALES = 4, BYTES_SCRATCH = 5 }; /* buffers */

/* Two neighbours move as one element of 16 bits. */
enum { BYTES_WIDE = WIDE / 2 /* columns of C in a tile: a row of a panel */ };

static_assert((int)BYTES_WIDE == TENSOR_MAP_PANEL, "one panel has them");

/* A scale of a row that is beyond the last one does not matter. */
static __device__ __forceinline__ float bytes_scale(const float *scales,
                                                    int row, int rows)
{
    return row < rows ? scales[row] : 0;
}

// ANCHOR: inner
/*
 * A thread's outputs of 64 rows from `row` on, to a panel. Of each eight
 * columns it has two neighbours, two bytes: the four lanes of a row write eight
 * bytes side by side, and the eight rows of a warp are in chunks of different
 * banks, so no two lanes meet at one.
 */
static __device__ __forceinline__ void
bytes_put(char *panel, const float (&sum)[WIDE / 2], const uint32_t *biases,
          const float *scales, int row, int rows)
{
    const int thread = threadIdx.x % WGMMA_GROUP, lane = thread % WARP;
    const int mine = thread / WARP * 16 + lane / 4;
    const uint32_t *const bias = biases + lane % 4;

#pragma unroll
    for (int below = 0; below < 2; below++) { /* by 8 rows */
        const int at = mine + 8 * below;
        const float scale = bytes_scale(scales, row + at, rows);

#pragma unroll
        for (int i = 0; i < BYTES_WIDE / 8; i++) {
            const float *const s = sum + i * 8 + below * 2;
            const uint32_t g = bias[i * 8], u = bias[i * 8 + 4];
            const float first = act_swiglu<ACT_SHORT>(s[0] + bf16_first(g),
                                                      s[4] + bf16_first(u));
            const float second = act_swiglu<ACT_SHORT>(s[1] + bf16_second(g),
                                                       s[5] + bf16_second(u));

            *(uint16_t *)(panel + at * TENSOR_MAP_PANEL +
                          (i / 2 ^ at % 8) * 16 + i % 2 * 8 + lane % 4 * 2) =
                e4m3_pair(first * scale, second * scale);
        }
    }
}
// ANCHOR_END: inner

/* As panel_send() of kernels/gemm16/panels.cuh, for one panel of bytes. */
template <class PUT>
static __device__ __forceinline__ void
bytes_send(char *panels, int turn, const CUtensorMap *c_map, int group, int row,
           int col, PUT put)
{
    char *const to = panels + turn % PANELS * PANEL;
    const bool sends = threadIdx.x % WGMMA_GROUP == 0;

    if (sends)
        ptx_bulk_wait_read<PANELS - 1>();
    ptx_sync_some(1 + group, WGMMA_GROUP); /* the panel is free */
    put(to);
    ptx_fence_async();
    ptx_sync_some(1 + group, WGMMA_GROUP); /* the panel is whole */
    if (sends) {
        ptx_tile_store(c_map, col / 2, row, to, ptx_evict_first());
        ptx_bulk_commit();
    }
}

#endif

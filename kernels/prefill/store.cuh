/*
 * kernels/prefill/store.cuh - outputs through shared memory, and from there by
 * the TMA.
 */
#ifndef KERNELS_PREFILL_STORE_CUH
#define KERNELS_PREFILL_STORE_CUH

#include "kernels/prefill/drawn.cuh"

enum { OUT_PANEL = PART * TENSOR_MAP_PANEL /* bytes: of a warp's queries */ };

/* Bytes behind the ring, for outputs. */
template <class T> struct outputs {
    enum {
        OF_WARP = T::D / PANEL * OUT_PANEL,
        BYTES = T::WARPS * OF_WARP + TENSOR_MAP_ALIGN,
    };
};

/* Where a warp's outputs go. */
template <class T>
static __device__ __forceinline__ char *out_of_warp(const space<T> &r)
{
    char *const raw = (char *)(r.b + 1);

    return raw + (-ptx_smem(raw) & (TENSOR_MAP_ALIGN - 1)) +
           threadIdx.x / WARP * outputs<T>::OF_WARP;
}

// ANCHOR: send
/* Divides by the sum of weights, and sends the warp's 16 rows away. Its last
 * ones have been read when its first lane is done with waiting. */
template <class T>
static __device__ __forceinline__ void
send_rows(const float (&o)[T::D / 2], const struct online &of, const piece &w,
          char *out, const CUtensorMap *map)
{
    const int lane = threadIdx.x % WARP, row = lane % PART;
    const float by[2] = {1 / over_four(of.sum[0], true),
                         1 / over_four(of.sum[1], true)};

    if (lane == 0)
        ptx_bulk_wait_read<0>();
    __syncwarp(); /* its place is free */
#pragma unroll
    for (int j = 0; j < T::D / 16; j++) {
        const int chunk = 2 * j % 8 + lane / 16;
        uint32_t pair[4];

#pragma unroll
        for (int i = 0; i < 4; i++)
            pair[i] = bf16_pair(o[8 * j + 2 * i] * by[i % 2],
                                o[8 * j + 2 * i + 1] * by[i % 2]);
        ptx_stmatrix(out + j / 4 * OUT_PANEL + row * TENSOR_MAP_PANEL +
                         (chunk ^ row % 8) * 16,
                     pair);
    }
    ptx_fence_async();
    __syncwarp(); /* all of it is there */
    if (lane == 0) {
#pragma unroll
        for (int p = 0; p < T::D / PANEL; p++)
            ptx_tile_store(map, w.h * T::D + p * PANEL,
                           w.first + threadIdx.x / WARP * PART,
                           out + p * OUT_PANEL, ptx_evict_first());
        ptx_bulk_commit();
    }
}
// ANCHOR_END: send

#endif

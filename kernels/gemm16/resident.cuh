/*
 * kernels/gemm16/resident.cuh - a block for each SM that goes on from tile to
 * tile, with the order of tiles left open.
 */
#ifndef KERNELS_GEMM16_RESIDENT_CUH
#define KERNELS_GEMM16_RESIDENT_CUH

#include "kernels/gemm16/wide.cuh"

/* The thread that asks: for all tiles of the block, as slots come free. */
template <class PLACE>
static __device__ void fetch_all(const slots &r, const CUtensorMap *a_map,
                                 const CUtensorMap *b_map, const product &p,
                                 PLACE place_of)
{
    const uint64_t keep = ptx_evict_normal();
    int i = 0; /* slots filled, over all outputs */

    for (int tile = blockIdx.x; tile < tiles_of(p); tile += gridDim.x) {
        const place at = place_of(p, tile);

        for (int k = 0; k < p.k; k += DEEP, i++) {
            const int s = i % STAGES;

            ptx_mbar_wait(&r.empty[s], (i / STAGES & 1) ^ 1);
            ptx_mbar_expect(&r.full[s], A_BYTES + B_BYTES);
            ptx_tile_load(r.a + s * A_BYTES, a_map, k, at.top, &r.full[s],
                          keep);
            ptx_tile_load(r.b + s * B_BYTES, b_map, k, at.left, &r.full[s],
                          keep);
        }
    }
}

/* What all threads do; place_of(p, tile) says where a tile is. */
template <class PLACE>
static __device__ __forceinline__ void
go_through_tiles(const product &p, const CUtensorMap *a_map,
                 const CUtensorMap *b_map, const slots &r, PLACE place_of)
{
    const int group = threadIdx.x / WGMMA_GROUP;

    if (threadIdx.x == 0)
        slots_init(r, WARPS);
    __syncthreads(); /* the barriers are ready */
    if (group == GROUPS) {
        wgmma_give_registers<FEW>();
        if (threadIdx.x % WGMMA_GROUP == 0)
            fetch_all(r, a_map, b_map, p, place_of);
        return;
    }
    wgmma_take_registers<MANY>();
    const auto done = [&](int s) {
        if (threadIdx.x % WARP == 0)
            ptx_mbar_arrive(&r.empty[s]);
    };
    float sum[WIDE / 2];
    int i = 0;

    // ANCHOR: tiles
    for (int tile = blockIdx.x; tile < tiles_of(p); tile += gridDim.x) {
        const place at = place_of(p, tile);

        multiply(sum, r, group, ceil_div(p.k, DEEP), i, done, nothing());
        put_sums(p, at.top + group * WGMMA_HIGH, at.left, sum);
    }
    // ANCHOR_END: tiles
}

#endif

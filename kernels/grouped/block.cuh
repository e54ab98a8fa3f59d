/*
 * kernels/grouped/block.cuh - a block that makes one tile of 128 x 256 outputs
 * of one expert, as gemm16/wide does: grouped/loop and grouped/padded.
 */
#ifndef KERNELS_GROUPED_BLOCK_CUH
#define KERNELS_GROUPED_BLOCK_CUH

#include "kernels/gemm16/wide.cuh"
#include "kernels/grouped/experts.cuh"

enum { SHARED = SLOTS_BYTES + TENSOR_MAP_ALIGN };

/* What a block makes: outputs from (top, left) on, with weights from row
 * `weights` on. */
struct tile {
    int top, left, weights;
};

/* The thread that asks: for all slots of a tile, as they come free. */
static __device__ void block_fetch(const slots &r, const CUtensorMap *a_map,
                                   const CUtensorMap *b_map, const tile &t,
                                   int steps)
{
    const uint64_t keep = ptx_evict_normal();

    for (int step = 0; step < steps; step++) {
        const int s = step % STAGES;

        ptx_mbar_wait(&r.empty[s], (step / STAGES & 1) ^ 1);
        ptx_mbar_expect(&r.full[s], A_BYTES + B_BYTES);
        ptx_tile_load(r.a + s * A_BYTES, a_map, step * DEEP, t.top, &r.full[s],
                      keep);
        ptx_tile_load(r.b + s * B_BYTES, b_map, step * DEEP, t.weights,
                      &r.full[s], keep);
    }
}

/* All threads of a block; `raw` is its shared memory. Rows of C end at p.m. */
static __device__ __forceinline__ void
block_product(const product &p, const tile &t, const CUtensorMap *a_map,
              const CUtensorMap *b_map, char *raw)
{
    __shared__ uint64_t full[STAGES], empty[STAGES];
    const slots r = slots_in(raw, full, empty);
    const int group = threadIdx.x / WGMMA_GROUP, steps = ceil_div(p.k, DEEP);

    if (threadIdx.x == 0)
        slots_init(r, WARPS);
    __syncthreads(); /* the barriers are ready */
    if (group == GROUPS) {
        wgmma_give_registers<FEW>();
        if (threadIdx.x % WGMMA_GROUP == 0)
            block_fetch(r, a_map, b_map, t, steps);
    } else {
        float sum[WIDE / 2];
        int i = 0;

        wgmma_take_registers<MANY>();
        const auto done = [&](int s) {
            if (threadIdx.x % WARP == 0)
                ptx_mbar_arrive(&r.empty[s]);
        };
        multiply(sum, r, group, steps, i, done, nothing());
        put_sums(p, t.top + group * WGMMA_HIGH, t.left, sum);
    }
}

#endif

/*
 * kernels/gemm16/pair.cuh - two blocks whose tiles stand one above the other,
 * as a cluster: they share the rows of B. Who defines PAIR_BLOCKS before has as
 * many blocks in a "pair".
 */
#ifndef KERNELS_GEMM16_PAIR_CUH
#define KERNELS_GEMM16_PAIR_CUH

#include "kernels/gemm16/wide.cuh"

#ifndef PAIR_BLOCKS
#define PAIR_BLOCKS 2
#endif

enum {
    PAIR = PAIR_BLOCKS, /* blocks of a cluster */
    BAND = 16 / PAIR,   /* rows of pairs that are numbered together */
};

static __host__ __device__ inline int pairs_of(const product &p)
{
    return ceil_div(p.m, PAIR * HIGH) * ceil_div(p.n, WIDE);
}

/* The outputs of this block, of a pair. */
static __device__ __forceinline__ place place_of(const product &p, int pair)
{
    const place at =
        in_bands(pair, BAND, ceil_div(p.m, PAIR * HIGH), ceil_div(p.n, WIDE));

    return {(at.top * PAIR + (int)cluster_rank()) * HIGH, at.left * WIDE};
}

/* The thread that asks: for the block's tiles of A, and for its half of those
 * of B, as slots come free in both blocks. */
static __device__ void fetch_pairs(const slots &r, const CUtensorMap *a_map,
                                   const CUtensorMap *b_map, const product &p)
{
    const uint64_t keep = ptx_evict_normal();
    const int half = (int)cluster_rank();
    int i = 0; /* slots filled, over all outputs */

    TRACE_OPEN(LOADER, 0, true);
    // ANCHOR: fetch
    for (int pair = blockIdx.x / PAIR; pair < pairs_of(p);
         pair += gridDim.x / PAIR) {
        const place at = place_of(p, pair);

        for (int k = 0; k < p.k; k += DEEP, i++) {
            const int s = i % STAGES;

            cluster_wait(&r.empty[s], (i / STAGES & 1) ^ 1);
            TRACE_END(SLOT, i - STAGES);
            TRACE_BEGIN(SLOT, i);
            ptx_mbar_expect(&r.full[s], A_BYTES + B_BYTES);
            ptx_tile_load(r.a + s * A_BYTES, a_map, k, at.top, &r.full[s],
                          keep);
            cluster_tile_load(r.b + s * B_BYTES + half * B_BYTES / PAIR, b_map,
                              k, at.left + half * WIDE / PAIR, &r.full[s],
                              (1 << PAIR) - 1, keep);
        }
    }
    // ANCHOR_END: fetch
    TRACE_CLOSE();
}

/* What a warp group says of a slot whose products have ended: a lane of each
 * warp tells each block of the cluster. */
struct tell_both {
    const slots &r;

    __device__ void operator()(int s) const
    {
        const uint32_t block = threadIdx.x % WARP;

        if (block < PAIR)
            cluster_arrive(&r.empty[s], block);
    }
};

/* Blocks for a GPU of `sms` SMs. */
static inline int pair_blocks(const product &p, int sms)
{
    const int most = sms / PAIR * PAIR, blocks = PAIR * pairs_of(p);

    return blocks < most ? blocks : most;
}

#endif

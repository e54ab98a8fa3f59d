/*
 * kernels/splitk/tile.cuh - what the steps with tiles of 64 tokens share: the
 * slots, and the work on a piece of a tile.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k]: A holds a token in each row, B the weights of
 * an output in each row.
 */
#ifndef KERNELS_SPLITK_TILE_CUH
#define KERNELS_SPLITK_TILE_CUH

#include "kernels/gemm16/product.cuh"
#include "kernels/splitk/ptx.cuh"

#include <limits.h>

enum {
    HIGH = WGMMA_HIGH, /* tokens of a tile */
    WIDE = 128,        /* outputs of each */
    DEEP = 64,         /* of k at a time: a row of a TMA tile */
    STAGES = 4,        /* slots: two blocks fit an SM */
    SUMS = WIDE / 2,   /* of a thread that multiplies */
    WARPS = WGMMA_GROUP / WARP,
    THREADS = WGMMA_GROUP + WARP,
    A_BYTES = HIGH * TENSOR_MAP_PANEL, /* in a slot */
    B_BYTES = WIDE * TENSOR_MAP_PANEL,
    SLOTS_BYTES = STAGES * (A_BYTES + B_BYTES),
    SHARED = SLOTS_BYTES + TENSOR_MAP_ALIGN,
    FEW_STEPS = 4, /* of k, that a block is still worth */
};

/* Shared memory: the slots and their barriers. */
struct slots {
    char *a, *b;
    uint64_t *full, *empty;
};

/* Some steps along k of a tile. */
struct piece {
    int tile, begin, end;
};

static __host__ __device__ inline int steps_of(const product &p)
{
    return ceil_div(p.k, DEEP);
}

static __host__ __device__ inline int tiles_of(const product &p)
{
    return ceil_div(p.m, HIGH) * ceil_div(p.n, WIDE);
}

/* Tiles that share weights have neighbouring numbers, and run together. */
static __device__ __forceinline__ int top_of(const product &p, int tile)
{
    return tile % ceil_div(p.m, HIGH) * HIGH;
}

static __device__ __forceinline__ int left_of(const product &p, int tile)
{
    return tile / ceil_div(p.m, HIGH) * WIDE;
}

/*
 * Into how many pieces a tile is split, at most `most`: as many as there are
 * SMs for it, if each has at least FEW_STEPS.
 */
static inline int splits_of(const product &p, int sms, int most)
{
    const int by_sms = sms / tiles_of(p), by_steps = steps_of(p) / FEW_STEPS;
    const int splits = by_sms < by_steps ? by_sms : by_steps;

    return splits < 1 ? 1 : splits < most ? splits : most;
}

/* This block's piece, when `splits` blocks in a row do a tile. */
static __device__ __forceinline__ piece piece_of(const product &p, int splits)
{
    const int steps = steps_of(p), part = blockIdx.x % splits;

    return {(int)blockIdx.x / splits, steps * part / splits,
            steps * (part + 1) / splits};
}

static __device__ __forceinline__ slots slots_in(char *raw, uint64_t *full,
                                                 uint64_t *empty)
{
    char *const a = raw + (-ptx_smem(raw) & (TENSOR_MAP_ALIGN - 1));

    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            ptx_mbar_init(&full[s], 1);
            ptx_mbar_init(&empty[s], WARPS);
        }
        ptx_mbar_init_fence();
    }
    __syncthreads(); /* the barriers are ready */
    return {a, a + STAGES * A_BYTES, full, empty};
}

/* Does this thread ask for tiles? One of the warp that multiplies nothing. */
static __device__ __forceinline__ bool fetches(void)
{
    return threadIdx.x == WGMMA_GROUP;
}

/* That thread: for the slots of a piece, as they come free. i counts slots over
 * all pieces. */
static __device__ __forceinline__ void
fetch(const slots &r, const CUtensorMap *a_map, const CUtensorMap *b_map,
      const product &p, const piece &w, int &i)
{
    /* tokens are used by all blocks, weights by the tiles above each other */
    const uint64_t keep = ptx_evict_normal();
    const uint64_t once = p.m > HIGH ? ptx_evict_normal() : ptx_evict_first();

    for (int step = w.begin; step < w.end; step++, i++) {
        const int s = i % STAGES;

        ptx_mbar_wait(&r.empty[s], (i / STAGES & 1) ^ 1);
        ptx_mbar_expect(&r.full[s], A_BYTES + B_BYTES);
        ptx_tile_load(r.b + s * B_BYTES, b_map, step * DEEP, left_of(p, w.tile),
                      &r.full[s], once);
        ptx_tile_load(r.a + s * A_BYTES, a_map, step * DEEP, top_of(p, w.tile),
                      &r.full[s], keep);
    }
}

/* The warp group: the sums of a piece. */
static __device__ __forceinline__ void
multiply(float (&sum)[SUMS], const slots &r, const piece &w, int &i)
{
    const bool first = threadIdx.x % WARP == 0; /* of each warp */

    // ANCHOR: inner
    for (int step = w.begin; step < w.end; step++, i++) {
        const int s = i % STAGES;

        ptx_mbar_wait(&r.full[s], i / STAGES & 1);
        const uint64_t at = wgmma_tile(r.a + s * A_BYTES);
        const uint64_t bt = wgmma_tile(r.b + s * B_BYTES);

        wgmma_begin();
#pragma unroll
        for (int j = 0; j < DEEP / WGMMA_DEEP; j++)
            wgmma_bf16(sum, wgmma_along(at, j), wgmma_along(bt, j),
                       step > w.begin || j > 0);
        wgmma_commit();
        wgmma_wait<1>(); /* the products of the step before have ended */
        if (first && step > w.begin)
            ptx_mbar_arrive(&r.empty[(i - 1) % STAGES]);
    }
    wgmma_wait<0>();
    if (first)
        ptx_mbar_arrive(&r.empty[(i - 1) % STAGES]);
    // ANCHOR_END: inner
}

/* ---- sums that pass through memory ---- */

/* The sums of a piece: threads leave pairs of neighbours as they hold them. */
struct part {
    float2 pair[SUMS / 2][WGMMA_GROUP];
};

/* Is pair j of this thread a token's? */
static __device__ __forceinline__ bool is_token(const product &p, int top,
                                                int j)
{
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;

    return top + warp * 16 + lane / 4 + j % 2 * 8 < p.m;
}

/* The warp group: counts the block at the tile's counter, and says whether all
 * `parts` have been counted. The last one puts the counter back. */
static __device__ __forceinline__ bool is_last(uint32_t *count, uint32_t parts)
{
    __shared__ bool last;

    ptx_sync_some(1, WGMMA_GROUP); /* all have written their sums */
    if (threadIdx.x == 0) {
        last = part_arrive(count) == parts - 1;
        if (last)
            *count = 0; /* for the next launch */
    }
    ptx_sync_some(1, WGMMA_GROUP);
    return last;
}

/* Prepares a step: shared memory, and tensor maps for its tiles. */
template <class KERNEL>
static inline const char *tile_prepare(KERNEL *kernel,
                                       const struct kernel_case *c,
                                       void *const *buf, void **state)
{
    const struct product p = product_of(c, buf);

    if (cudaFuncSetAttribute(kernel,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, WIDE, 0, state);
}

#endif

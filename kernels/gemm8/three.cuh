/*
 * kernels/gemm8/three.cuh - products by three warp groups, whose sums move to
 * f32 every 128 of k, as in gemm8/three.
 *
 * A block has tiles of 192 x 128 outputs. Two blocks whose tiles stand side by
 * side are a cluster: they share the rows of A, and each asks for half of them.
 * Rows of B come in the order of kernels/gemm16/eights.cuh.
 */
#ifndef KERNELS_GEMM8_THREE_CUH
#define KERNELS_GEMM8_THREE_CUH

#include "kernels/gemm16/eights.cuh"
#include "kernels/gemm8/product.cuh"

enum {
    TRIO = 3,                      /* warp groups that multiply */
    TRIO_HIGH = TRIO * WGMMA_HIGH, /* outputs of a block: rows */
    TRIO_WIDE = 128,               /* and columns */
    TRIO_SLOTS = 5,
    TRIO_BAND = 8, /* rows of tiles that are numbered together */
    TRIO_WARPS = TRIO * WGMMA_GROUP / WARP,
    TRIO_THREADS = (TRIO + 1) * WGMMA_GROUP,
    TRIO_A = TRIO_HIGH * TENSOR_MAP_PANEL, /* bytes of A in a slot */
    TRIO_B = TRIO_WIDE * TENSOR_MAP_PANEL,
    TRIO_SHARED = TRIO_SLOTS * (TRIO_A + TRIO_B) + TENSOR_MAP_ALIGN,
    TRIO_FEW = 32, /* registers of a thread that asks for tiles */
    TRIO_MANY = 160,
};

static __device__ __forceinline__ slots trio_slots(char *raw, uint64_t *full,
                                                   uint64_t *empty)
{
    char *const a = raw + (-ptx_smem(raw) & (TENSOR_MAP_ALIGN - 1));

    return {a, a + TRIO_SLOTS * TRIO_A, NULL, full, empty};
}

/* By one thread. */
static __device__ void trio_init(const slots &r)
{
    for (int s = 0; s < TRIO_SLOTS; s++) {
        ptx_mbar_init(&r.full[s], 1);
        ptx_mbar_init(&r.empty[s], PAIR * TRIO_WARPS);
    }
    ptx_mbar_init_fence();
}

static __host__ __device__ inline int trio_pairs(const product &p)
{
    return ceil_div(p.m, TRIO_HIGH) * ceil_div(p.n, PAIR * TRIO_WIDE);
}

/* Blocks for a GPU of `sms` SMs. */
static inline int trio_blocks(const product &p, int sms)
{
    const int most = sms / PAIR * PAIR, blocks = PAIR * trio_pairs(p);

    return blocks < most ? blocks : most;
}

/* The outputs of this block, of a pair. */
static __device__ __forceinline__ place trio_place(const product &p, int pair)
{
    const place at = in_bands(pair, TRIO_BAND, ceil_div(p.m, TRIO_HIGH),
                              ceil_div(p.n, PAIR * TRIO_WIDE));

    return {at.top * TRIO_HIGH,
            (at.left * PAIR + (int)cluster_rank()) * TRIO_WIDE};
}

/* The thread that asks: for the block's half of the tiles of A, which goes to
 * both, and for its own of B. */
static __device__ void trio_fetch(const slots &r, const CUtensorMap *a_map,
                                  const CUtensorMap *b_map, const product &p)
{
    const uint64_t keep = ptx_evict_normal();
    const int half = (int)cluster_rank();
    int i = 0; /* slots filled, over all outputs */

    // ANCHOR: fetch
    for (int pair = blockIdx.x / PAIR; pair < trio_pairs(p);
         pair += gridDim.x / PAIR) {
        const place at = trio_place(p, pair);

        for (int k = 0; k < p.k; k += DEEP, i++) {
            const int s = i % TRIO_SLOTS;

            cluster_wait(&r.empty[s], (i / TRIO_SLOTS & 1) ^ 1);
            ptx_mbar_expect(&r.full[s], TRIO_A + TRIO_B);
            cluster_tile_load(r.a + s * TRIO_A + half * TRIO_A / PAIR, a_map, k,
                              at.top + half * TRIO_HIGH / PAIR, &r.full[s],
                              (1 << PAIR) - 1, keep);
            ptx_tile_load(r.b + s * TRIO_B, b_map, k, at.left, &r.full[s],
                          keep);
        }
    }
    // ANCHOR_END: fetch
}

/* How a part of 128 of k counts: here as it is. */
struct added {
    __device__ void begin() const
    {
    }
    __device__ float add(float sum, float part, int) const
    {
        return sum + part;
    }
};

/*
 * One slot: its products go to a part, which is added to the sums. In the
 * `FIRST` slot of a tile sums begin anew. While its products are under way
 * first() is called; the sums are then still those of the tile before.
 */
template <bool FIRST, class TAKE, class WHILE>
static __device__ __forceinline__ void trio_slot(float (&sum)[TRIO_WIDE / 2],
                                                 const slots &r, int group,
                                                 int i, TAKE &take, WHILE first)
{
    const int s = i % TRIO_SLOTS;
    float part[TRIO_WIDE / 2];

    take.begin();
    ptx_mbar_wait(&r.full[s], i / TRIO_SLOTS & 1);
    // ANCHOR: inner
    const uint64_t at =
        wgmma_tile(r.a + s * TRIO_A + group * WGMMA_HIGH * TENSOR_MAP_PANEL);
    const uint64_t bt = wgmma_tile(r.b + s * TRIO_B);

    wgmma_begin();
#pragma unroll
    for (int j = 0; j < STEP; j++)
        wgmma_e4m3(part, wgmma_along(at, j), wgmma_along(bt, j), j > 0);
    wgmma_commit();
    if (FIRST)
        first();
    wgmma_wait<0>();
    wgmma_landed(part);
    tell_both{r}(s);
#pragma unroll
    for (int j = 0; j < TRIO_WIDE / 2; j++)
        sum[j] = take.add(FIRST ? 0 : sum[j], part[j], j);
    // ANCHOR_END: inner
}

/* Stores the sums of a tile, from (row, col) on, times `scale`. */
static __device__ __forceinline__ void
trio_put(const float (&sum)[TRIO_WIDE / 2], const product &p, int row, int col,
         float scale)
{
    const int thread = ptx_thread_anew() % WGMMA_GROUP, lane = thread % WARP;
    const int mine = row + thread / WARP * 16 + lane / 4;
    const int first = col + lane % 4 * EIGHT;

    if (row == EIGHTS_NONE)
        return;
#pragma unroll
    for (int i = 0; i < TRIO_WIDE / ROUND * 2; i++) {
        const float *const x = sum + i / 2 * 16 + i % 2 * 2;

        put_eight(p, mine + i % 2 * 8, first + i / 2 * ROUND,
                  deal(make_uint4(bf16_pair(x[0] * scale, x[1] * scale),
                                  bf16_pair(x[4] * scale, x[5] * scale),
                                  bf16_pair(x[8] * scale, x[9] * scale),
                                  bf16_pair(x[12] * scale, x[13] * scale))));
    }
}

/* A warp group: the outputs of its 64 rows, pair of tiles by pair. */
template <class TAKE>
static __device__ __forceinline__ void trio_compute(const product &p,
                                                    const slots &r, int group,
                                                    TAKE take, float scale)
{
    const int steps = ceil_div(p.k, DEEP);
    float sum[TRIO_WIDE / 2];
    int row = EIGHTS_NONE, col = 0; /* of the tile before */
    int i = 0;

    for (int pair = blockIdx.x / PAIR; pair < trio_pairs(p);
         pair += gridDim.x / PAIR) {
        const auto send = [&] { trio_put(sum, p, row, col, scale); };

        trio_slot<true>(sum, r, group, i++, take, send);
        for (int step = 1; step < steps; step++)
            trio_slot<false>(sum, r, group, i++, take, send);
        const place at = trio_place(p, pair);

        row = at.top + group * WGMMA_HIGH;
        col = at.left;
    }
    trio_put(sum, p, row, col, scale);
}

#endif

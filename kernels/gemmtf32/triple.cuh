/*
 * kernels/gemmtf32/triple.cuh - 3xTF32 with wgmma: the slots, who splits, and
 * the products of a slot.
 *
 * A block has 128 x 128 outputs, and two warp groups 64 rows of them each. The
 * third warp group is one that asks for tiles and three warps that split B.
 *
 * The tensor cores leave out the low bits of what they read. So the tile of B
 * as it came is the first of its two numbers, and only what is left over needs
 * a tile of its own, `low`. A warp group has its rows of A in registers, as
 * ldmatrix brings them, and what is left over of them beside.
 *
 * Shared memory is the tightest: at the full rate of the tensor cores wgmma
 * reads 64 of its 128 bytes a cycle. A slot takes 1536 cycles. Its tiles
 * arrive, A is read once, B once more, and `low` is written: 48 more.
 */
#ifndef KERNELS_GEMMTF32_TRIPLE_CUH
#define KERNELS_GEMMTF32_TRIPLE_CUH

#include "kernels/gemmtf32/product.cuh"

enum {
    HIGH = 128, /* outputs of a block: rows */
    WIDE = 128, /* and columns */
    DEEP = 32,  /* of k at a time: a row of a TMA tile */
    STAGES = 4, /* slots */
    BAND = 16,  /* rows of tiles that are numbered together */
    GROUPS = HIGH / WGMMA_HIGH,
    WARPS = GROUPS * WGMMA_GROUP / WARP, /* that multiply */
    THREADS = (GROUPS + 1) * WGMMA_GROUP,
    SPLITTERS = WGMMA_GROUP - WARP,    /* threads that split B */
    A_BYTES = HIGH * TENSOR_MAP_PANEL, /* of A in a slot */
    B_BYTES = WIDE * TENSOR_MAP_PANEL,
    SHARED = STAGES * (A_BYTES + 2 * B_BYTES) + TENSOR_MAP_ALIGN,
    FEW = 72,   /* registers of a thread that asks or splits */
    MANY = 208, /* and of one that multiplies */
    STEPS = DEEP / WGMMA_TF32_DEEP,  /* products along k in a slot */
    TURN = 1,                        /* the first barrier of turns */
    IN_TURNS = GROUPS * WGMMA_GROUP, /* threads of such a barrier */
};

/* Shared memory: the slots and their barriers. */
struct slots {
    char *a, *b, *low;
    uint64_t *full, *split, *empty;
};

static __device__ __forceinline__ slots slots_in(char *raw, uint64_t *full,
                                                 uint64_t *split,
                                                 uint64_t *empty)
{
    char *const a = raw + (-ptx_smem(raw) & (TENSOR_MAP_ALIGN - 1));
    char *const b = a + STAGES * A_BYTES;

    return {a, b, b + STAGES * B_BYTES, full, split, empty};
}

/* By one thread. */
static __device__ void slots_init(const slots &r)
{
    for (int s = 0; s < STAGES; s++) {
        ptx_mbar_init(&r.full[s], 1);
        ptx_mbar_init(&r.split[s], SPLITTERS / WARP);
        ptx_mbar_init(&r.empty[s], WARPS);
    }
    ptx_mbar_init_fence();
}

static __host__ __device__ inline int tiles_of(const product &p)
{
    return ceil_div(p.m, HIGH) * ceil_div(p.n, WIDE);
}

/* The first row and column of a tile; they go down the columns of a band. */
struct place {
    int top, left;
};

static __device__ __forceinline__ place place_of(const product &p, int tile)
{
    const int down = ceil_div(p.m, HIGH), across = ceil_div(p.n, WIDE);
    const int first = tile / (BAND * across) * BAND;
    const int high = min(BAND, down - first), in = tile - first * across;

    return {(first + in % high) * HIGH, in / high * WIDE};
}

/* The thread that asks: for all tiles of the block, as slots come free. */
static __device__ void fetch(const slots &r, const CUtensorMap *a_map,
                             const CUtensorMap *b_map, const product &p)
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

/* The warps that split: what is left over of each tile of B. A number keeps its
 * place, so the tile is swizzled as B is. */
static __device__ void split_all(const slots &r, const product &p)
{
    const int thread = threadIdx.x % WGMMA_GROUP - WARP;
    int i = 0;

    // ANCHOR: split
    for (int tile = blockIdx.x; tile < tiles_of(p); tile += gridDim.x)
        for (int k = 0; k < p.k; k += DEEP, i++) {
            const int s = i % STAGES;
            const float4 *const b = (const float4 *)(r.b + s * B_BYTES);
            uint4 *const low = (uint4 *)(r.low + s * B_BYTES);

            ptx_mbar_wait(&r.full[s], i / STAGES & 1);
#pragma unroll 4
            for (int j = thread; j < B_BYTES / 16; j += SPLITTERS) {
                const float4 x = b[j];

                low[j] = make_uint4(split_low(x.x), split_low(x.y),
                                    split_low(x.z), split_low(x.w));
            }
            ptx_fence_async(); /* wgmma reads as the TMA does */
            __syncwarp();
            if (threadIdx.x % WARP == 0)
                ptx_mbar_arrive(&r.split[s]);
        }
    // ANCHOR_END: split
}

/*
 * Warp groups take turns: one starts its products when the other has started
 * its own. While they run, it has time to read A, split it, and add.
 */
static __device__ __forceinline__ void turn_wait(int group)
{
    ptx_sync_some(TURN + group, IN_TURNS);
}

static __device__ __forceinline__ void turn_pass(int group)
{
    ptx_arrive_some(TURN + (group ^ 1), IN_TURNS);
}

/* Group 0 begins. In the end a turn is left over, which it takes. */
static __device__ __forceinline__ void turns_open(int group)
{
    if (group == 1)
        turn_pass(group);
}

static __device__ __forceinline__ void turns_close(int group)
{
    if (group == 0)
        turn_wait(group);
}

/*
 * A warp group's products of slot i, from start to end: d = A B, or d += A B if
 * `keep`. The small ones come first, before the sum is large.
 */
static __device__ __forceinline__ void
multiply_slot(float (&d)[WIDE / 2], const slots &r, int group, int i, bool keep)
{
    const int s = i % STAGES, lane = threadIdx.x % WARP;
    const int row = threadIdx.x % WGMMA_GROUP / WARP * 16 + lane % 16;
    const char *const a =
        r.a + s * A_BYTES + (group * WGMMA_HIGH + row) * TENSOR_MAP_PANEL;
    uint32_t high[STEPS][4], low[STEPS][4];

    // ANCHOR: inner
    ptx_mbar_wait(&r.full[s], i / STAGES & 1);
#pragma unroll
    for (int j = 0; j < STEPS; j++) {
        ptx_ldmatrix(high[j], a + ((2 * j + lane / 16) ^ row % 8) * 16);
#pragma unroll
        for (int e = 0; e < 4; e++)
            low[j][e] = split_low(__uint_as_float(high[j][e]));
        wgmma_ready(low[j]);
    }
    ptx_mbar_wait(&r.split[s], i / STAGES & 1);
    const uint64_t bt = wgmma_tile(r.b + s * B_BYTES);
    const uint64_t lt = wgmma_tile(r.low + s * B_BYTES);

    turn_wait(group);
    wgmma_begin();
#pragma unroll
    for (int j = 0; j < STEPS; j++)
        wgmma_tf32(d, low[j], wgmma_along(bt, j), keep || j > 0);
#pragma unroll
    for (int j = 0; j < STEPS; j++)
        wgmma_tf32(d, high[j], wgmma_along(lt, j), 1);
#pragma unroll
    for (int j = 0; j < STEPS; j++)
        wgmma_tf32(d, high[j], wgmma_along(bt, j), 1);
    wgmma_commit();
    turn_pass(group);
    wgmma_wait<0>();
    wgmma_landed(d);
    if (lane == 0)
        ptx_mbar_arrive(&r.empty[s]);
    // ANCHOR_END: inner
}

/* What all threads do; multiply(sum, r, group, steps, i) is the work of a warp
 * group for a tile. */
template <class MULTIPLY>
static __device__ __forceinline__ void
go_through_tiles(const product &p, const CUtensorMap *a_map,
                 const CUtensorMap *b_map, const slots &r, MULTIPLY multiply)
{
    const int group = threadIdx.x / WGMMA_GROUP;
    float sum[WIDE / 2];
    int i = 0;

    if (threadIdx.x == 0)
        slots_init(r);
    __syncthreads(); /* the barriers are ready */
    if (group == GROUPS) {
        wgmma_give_registers<FEW>();
        if (threadIdx.x % WGMMA_GROUP >= WARP)
            split_all(r, p);
        else if (threadIdx.x % WARP == 0)
            fetch(r, a_map, b_map, p);
        return;
    }
    wgmma_take_registers<MANY>();
    turns_open(group);
    for (int tile = blockIdx.x; tile < tiles_of(p); tile += gridDim.x) {
        const place at = place_of(p, tile);

        multiply(sum, group, ceil_div(p.k, DEEP), i);
        put_sums(p, at.top + group * WGMMA_HIGH, at.left, sum);
    }
    turns_close(group);
}

#endif

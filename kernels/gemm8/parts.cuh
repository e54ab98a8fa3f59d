/*
 * kernels/gemm8/parts.cuh - products with a scale for each 128 of k, as in
 * gemm8/blocks.
 *
 * A block has tiles of 128 x `ACROSS` outputs, and two warp groups, of 64 rows
 * each. A pair of blocks shares the rows of B, as in kernels/gemm16/pair.cuh. A
 * warp group multiplies `PART` columns at a time.
 *
 * Scales come with the slot. A warp beside the thread that asks for tiles reads
 * them from memory and lays them into the slot's place. So a slot is full when
 * its bytes and its scales are there, and nobody who multiplies ever asks the
 * L2 for anything.
 */
#ifndef KERNELS_GEMM8_PARTS_CUH
#define KERNELS_GEMM8_PARTS_CUH

#include "kernels/gemm16/eights.cuh"
#include "kernels/gemm8/product.cuh"
#include "kernels/trace.cuh"

enum {
    PARTS_BLOCK = 128,   /* columns that have a scale in common */
    PARTS_MOST = 230000, /* bytes of shared memory for slots */
    PARTS_TURN = 1,      /* the first barrier of turns */
};

/* The numbers of a shape; `ORDERED`: warp groups take turns. */
template <int ACROSS, int PART, bool ORDERED> struct parts {
    enum {
        WIDTH_OF = ACROSS,                  /* outputs of a block: columns */
        AT_ONCE = PART,                     /* that are multiplied together */
        TURNS = ORDERED,                    /* whether groups take turns */
        COUNT = ACROSS / PART,              /* parts of a slot */
        B_SLOT = ACROSS * TENSOR_MAP_PANEL, /* bytes of B in a slot */
        SLOTS = PARTS_MOST / (A_BYTES + B_SLOT),
        SHARED = SLOTS * (A_BYTES + B_SLOT) + TENSOR_MAP_ALIGN,
        /* columns that have a scale in common, wherever a tile begins */
        SECTION = ACROSS % PARTS_BLOCK == 0 ? PARTS_BLOCK : PARTS_BLOCK / 2,
        SECTIONS = ACROSS / SECTION,
        SCALES = HIGH + 4, /* of a slot: of rows, and of sections */
    };
    static_assert(ACROSS % PART == 0 && PART % 8 == 0, "whole parts");
    static_assert(PART % ROUND == 0 && SECTIONS <= 4, "whole rounds");
};

/* Shared memory: slots, and the scales of each. */
struct scaled_slots {
    slots tiles;
    float *scales;
};

template <class P>
static __device__ __forceinline__ scaled_slots
parts_slots(char *raw, float *scales, uint64_t *full, uint64_t *empty)
{
    char *const a = raw + (-ptx_smem(raw) & (TENSOR_MAP_ALIGN - 1));

    return {{a, a + P::SLOTS * A_BYTES, NULL, full, empty}, scales};
}

/* By one thread. A slot is full when its bytes are there, and its scales. */
template <class P> static __device__ void parts_init(const slots &r)
{
    for (int s = 0; s < P::SLOTS; s++) {
        ptx_mbar_init(&r.full[s], 2);
        ptx_mbar_init(&r.empty[s], PAIR * WARPS);
    }
    ptx_mbar_init_fence();
}

template <class P>
static __host__ __device__ inline int parts_pairs(const product &p)
{
    return ceil_div(p.m, PAIR * HIGH) * ceil_div(p.n, P::WIDTH_OF);
}

/* Blocks for a GPU of `sms` SMs. */
template <class P> static inline int parts_blocks(const product &p, int sms)
{
    const int most = sms / PAIR * PAIR, blocks = PAIR * parts_pairs<P>(p);

    return blocks < most ? blocks : most;
}

/* The outputs of this block, of a pair. */
template <class P>
static __device__ __forceinline__ place parts_place(const product &p, int pair)
{
    const place at = in_bands(pair, BAND, ceil_div(p.m, PAIR * HIGH),
                              ceil_div(p.n, P::WIDTH_OF));

    return {(at.top * PAIR + (int)cluster_rank()) * HIGH,
            at.left * P::WIDTH_OF};
}

/* ---- those who ask ---- */

/* The thread that asks for tiles: for the block's of A, and for its half of
 * those of B, which goes to both. */
template <class P>
static __device__ void parts_fetch(const slots &r, const CUtensorMap *a_map,
                                   const CUtensorMap *b_map, const product &p)
{
    const uint64_t keep = ptx_evict_normal();
    const int half = (int)cluster_rank();
    int i = 0; /* slots filled, over all outputs */

    TRACE_OPEN(LOADER, 0, true);
    for (int pair = blockIdx.x / PAIR; pair < parts_pairs<P>(p);
         pair += gridDim.x / PAIR) {
        const place at = parts_place<P>(p, pair);

        for (int k = 0; k < p.k; k += DEEP, i++) {
            const int s = i % P::SLOTS;

            cluster_wait(&r.empty[s], (i / P::SLOTS & 1) ^ 1);
            TRACE_END(SLOT, i - P::SLOTS);
            TRACE_BEGIN(SLOT, i);
            ptx_mbar_expect(&r.full[s], A_BYTES + P::B_SLOT);
            ptx_tile_load(r.a + s * A_BYTES, a_map, k, at.top, &r.full[s],
                          keep);
            cluster_tile_load(r.b + s * P::B_SLOT + half * P::B_SLOT / PAIR,
                              b_map, k, at.left + half * P::WIDTH_OF / PAIR,
                              &r.full[s], (1 << PAIR) - 1, keep);
        }
    }
    TRACE_CLOSE();
}

// ANCHOR: scales
/* The warp that brings scales: each lane those of four rows, and some lanes
 * that of a section of columns. It reads them before the slot is free. */
template <class P>
static __device__ void
parts_fetch_scales(const scaled_slots &r, const product &p,
                   const float *a_scales, const float *b_scales)
{
    const int lane = threadIdx.x % WARP, pitch = block_pitch(p);
    const int last = ceil_div(p.n, PARTS_BLOCK) - 1;
    int i = 0; /* slots filled, over all outputs */

    TRACE_OPEN(LOADER, 1, lane == 0);
    for (int pair = blockIdx.x / PAIR; pair < parts_pairs<P>(p);
         pair += gridDim.x / PAIR) {
        const place at = parts_place<P>(p, pair);
        /* of the columns behind the last, nothing is stored */
        const int block =
            min((at.left + lane * P::SECTION) / PARTS_BLOCK, last);
        const float *a = a_scales + at.top + lane;
        const float *b = b_scales + (size_t)block * pitch;

        for (int k = 0; k < p.k; k += DEEP, i++, a += p.m, b++) {
            const int s = i % P::SLOTS;
            float *const to = r.scales + s * P::SCALES;
            float row[HIGH / WARP], section = 0;

            TRACE_BEGIN(LOAD, i);
#pragma unroll
            for (int j = 0; j < HIGH / WARP; j++)
                row[j] = at.top + lane + j * WARP < p.m ? a[j * WARP] : 0;
            if (lane < P::SECTIONS)
                section = b[0];
            cluster_wait(&r.tiles.empty[s], (i / P::SLOTS & 1) ^ 1);
#pragma unroll
            for (int j = 0; j < HIGH / WARP; j++)
                to[lane + j * WARP] = row[j];
            if (lane < P::SECTIONS)
                to[HIGH + lane] = section;
            __syncwarp(); /* all of them are there */
            if (lane == 0)
                ptx_mbar_arrive(&r.tiles.full[s]);
            TRACE_END(LOAD, i);
        }
    }
    TRACE_CLOSE();
}
// ANCHOR_END: scales

/* ---- those who multiply ---- */

/* Waits until the other warp group has started its products. */
static __device__ __forceinline__ void parts_turn_wait(int group)
{
    ptx_sync_some(PARTS_TURN + group, GROUPS * WGMMA_GROUP);
}

/* Lets the other warp group start. */
static __device__ __forceinline__ void parts_turn_pass(int group)
{
    ptx_arrive_some(PARTS_TURN + (group ^ 1), GROUPS * WGMMA_GROUP);
}

/* The slot that comes next, and how products name its tiles. */
struct reading {
    int slot;
    uint32_t parity;
    uint64_t a, b;
};

/* The one behind it comes next. */
template <class P> static __device__ __forceinline__ void slot_next(reading &x)
{
    if (++x.slot == P::SLOTS) {
        x.slot = 0;
        x.parity ^= 1;
    }
}

/* Waits for that slot. */
template <class P>
static __device__ __forceinline__ void slot_await(reading &x, const slots &r,
                                                  int group)
{
    ptx_mbar_wait(&r.full[x.slot], x.parity);
    x.a = wgmma_tile(r.a + x.slot * A_BYTES +
                     group * WGMMA_HIGH * TENSOR_MAP_PANEL);
    x.b = wgmma_tile(r.b + x.slot * P::B_SLOT);
}

/* Stores a part of a tile's sums, whose columns begin at `col`. */
template <int SUMS>
static __device__ __forceinline__ void
put_part(const float *sum, const product &p, int row, int col)
{
    const int thread = ptx_thread_anew() % WGMMA_GROUP, lane = thread % WARP;
    const int mine = row + thread / WARP * 16 + lane / 4;
    const int first = col + lane % 4 * EIGHT;

    if (row == EIGHTS_NONE)
        return;
#pragma unroll
    for (int i = 0; i < SUMS / 8; i++) {
        const float *const x = sum + i / 2 * 16 + i % 2 * 2;

        put_eight(
            p, mine + i % 2 * 8, first + i / 2 * ROUND,
            deal(make_uint4(bf16_pair(x[0], x[1]), bf16_pair(x[4], x[5]),
                            bf16_pair(x[8], x[9]), bf16_pair(x[12], x[13]))));
    }
}

/*
 * One slot, part by part: its products go to `part`, and from there to the
 * sums. Whatever can be done before the products have ended is done before: the
 * scales are read, the next slot is waited for if there is `more`. In the
 * `FIRST` slot of a tile sums begin anew, and meanwhile those of the tile
 * before, from (row, col) on, are stored. `mine` is the thread's first row of
 * the block's.
 */
template <class P, bool FIRST>
static __device__ __forceinline__ void
parts_slot(float (&sum)[P::WIDTH_OF / 2], const scaled_slots &r, int group,
           reading &x, bool more, int mine, const product &p, int row,
           int col TRACE_TAKES)
{
    constexpr int SUMS = P::AT_ONCE / 2;
    const uint64_t at = x.a, bt = x.b;
    const int s = x.slot;
    float part[SUMS], by[P::SECTIONS][2];

    // ANCHOR: inner
#pragma unroll
    for (int n = 0; n < P::COUNT; n++) {
        const uint64_t b =
            bt + (uint64_t)(n * P::AT_ONCE * TENSOR_MAP_PANEL >> 4);

        if (P::TURNS)
            parts_turn_wait(group);
        TRACE_BEGIN(PRODUCT, n);
        wgmma_begin();
#pragma unroll
        for (int j = 0; j < STEP; j++)
            wgmma_e4m3(part, wgmma_along(at, j), wgmma_along(b, j), j > 0);
        wgmma_commit();
        if (P::TURNS)
            parts_turn_pass(group);
        if (n == 0) {
            const float *const scales = r.scales + s * P::SCALES;

#pragma unroll
            for (int j = 0; j < P::SECTIONS; j++) {
                by[j][0] = scales[mine] * scales[HIGH + j];
                by[j][1] = scales[mine + 8] * scales[HIGH + j];
            }
        }
        if (FIRST)
            put_part<SUMS>(sum + n * SUMS, p, row, col + n * P::AT_ONCE);
        if (n == P::COUNT - 1) {
            slot_next<P>(x);
            if (more)
                slot_await<P>(x, r.tiles, group);
        }
        wgmma_wait<0>();
        wgmma_landed(part);
        TRACE_END(PRODUCT, n);
        TRACE_BEGIN(ADD, n);
        if (n == P::COUNT - 1)
            tell_both{r.tiles}(s);
#pragma unroll
        for (int j = 0; j < SUMS; j++) {
            const int section = (n * P::AT_ONCE + j / 4 * 8) / P::SECTION;
            float &to = sum[n * SUMS + j];

            to = fmaf(part[j], by[section][j / 2 % 2], FIRST ? 0 : to);
        }
        TRACE_END(ADD, n);
    }
    // ANCHOR_END: inner
}

/* A warp group: the outputs of its 64 rows, pair of tiles by pair. */
template <class P>
static __device__ __forceinline__ void
parts_compute(const product &p, const scaled_slots &r, int group)
{
    const int steps = ceil_div(p.k, DEEP), thread = threadIdx.x % WGMMA_GROUP;
    const int mine =
        group * WGMMA_HIGH + thread / WARP * 16 + thread % WARP / 4;
    float sum[P::WIDTH_OF / 2];
    int row = EIGHTS_NONE, col = 0; /* of the tile before */
    reading x = {0, 0, 0, 0};

    TRACE_OPEN(GROUP, group, threadIdx.x % WGMMA_GROUP == 0);
    if (P::TURNS && group == 1)
        parts_turn_pass(group); /* group 0 begins */
    slot_await<P>(x, r.tiles, group);
    for (int pair = blockIdx.x / PAIR; pair < parts_pairs<P>(p);
         pair += gridDim.x / PAIR) {
        const bool last = pair + (int)gridDim.x / PAIR >= parts_pairs<P>(p);
        const place at = parts_place<P>(p, pair);

        parts_slot<P, true>(sum, r, group, x, steps > 1 || !last, mine, p, row,
                            col TRACE_GIVES);
        for (int step = 1; step < steps; step++)
            parts_slot<P, false>(sum, r, group, x, step + 1 < steps || !last,
                                 mine, p, row, col TRACE_GIVES);
        row = at.top + group * WGMMA_HIGH;
        col = at.left;
    }
    if (P::TURNS && group == 0)
        parts_turn_wait(group); /* the turn that is left over */
#pragma unroll
    for (int n = 0; n < P::COUNT; n++)
        put_part<P::AT_ONCE / 2>(sum + n * P::AT_ONCE / 2, p, row,
                                 col + n * P::AT_ONCE);
    TRACE_CLOSE();
}

/* What a block does, but for the meeting with the other of its pair before and
 * after. compute(group) is what a warp group multiplies. */
template <class P, class COMPUTE>
static __device__ __forceinline__ void
parts_block(const product &p, const scaled_slots &r, const float *a_scales,
            const float *b_scales, const CUtensorMap *a_map,
            const CUtensorMap *b_map, COMPUTE compute)
{
    /* the same in all lanes, which the compiler learns this way */
    const int group = __shfl_sync(~0u, threadIdx.x / WGMMA_GROUP, 0);

    if (group == GROUPS) {
        wgmma_give_registers<FEW>();
        if (threadIdx.x % WGMMA_GROUP == 0)
            parts_fetch<P>(r.tiles, a_map, b_map, p);
        else if (threadIdx.x % WGMMA_GROUP / WARP == 1)
            parts_fetch_scales<P>(r, p, a_scales, b_scales);
    } else {
        wgmma_take_registers<MANY>();
        compute(group);
    }
}

#endif

/*
 * kernels/gemm8/turns.cuh - the products of kernels/gemm8/promote.cuh by two
 * warp groups that take turns, as in gemm8/turns.
 */
#ifndef KERNELS_GEMM8_TURNS_CUH
#define KERNELS_GEMM8_TURNS_CUH

#include "kernels/gemm8/promote.cuh"

enum {
    TURN = 1 + GROUPS, /* the first barrier of turns, behind those of panels */
    IN_TURNS = GROUPS * WGMMA_GROUP, /* threads of such a barrier */
};

/* Waits until the other warp group has started its products. */
static __device__ __forceinline__ void turn_wait(int group)
{
    ptx_sync_some(TURN + group, IN_TURNS);
}

/* Lets the other warp group start. */
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

/* How a part counts: as it is. */
struct added {
    __device__ void begin() const
    {
    }
    __device__ float add(float sum, float part, int, int) const
    {
        return sum + part;
    }
};

/*
 * multiply_parts() of one slot, in turns. In the `FIRST` of a tile sums begin
 * anew, and while the products of a half are under way, first(half) is called;
 * that half's sums are then still those of the tile before.
 */
template <bool FIRST, class DONE, class TAKE, class WHILE>
static __device__ __forceinline__ void
slot_in_turns(float (&sum)[WIDE / 2], const slots &r, int group, int i,
              DONE done, TAKE &take, WHILE first)
{
    const int s = i % STAGES;
    float part[HALF_WIDE / 2];

    take.begin();
    ptx_mbar_wait(&r.full[s], i / STAGES & 1);
    const uint64_t at =
        wgmma_tile(r.a + s * A_BYTES + group * WGMMA_HIGH * TENSOR_MAP_PANEL);
    // ANCHOR: inner
#pragma unroll
    for (int half = 0; half < 2; half++) {
        const uint64_t bt =
            wgmma_tile(r.b + s * B_BYTES + half * HALF_WIDE * TENSOR_MAP_PANEL);

        turn_wait(group);
        wgmma_begin();
#pragma unroll
        for (int j = 0; j < STEP; j++)
            wgmma_e4m3(part, wgmma_along(at, j), wgmma_along(bt, j), j > 0);
        wgmma_commit();
        turn_pass(group);
        if (FIRST)
            first(half);
        wgmma_wait<0>();
        wgmma_landed(part);
        if (half == 1)
            done(s);
#pragma unroll
        for (int j = 0; j < HALF_WIDE / 2; j++) {
            float &to = sum[half * HALF_WIDE / 2 + j];

            to = take.add(FIRST ? 0 : to, part[j], half, j);
        }
    }
    // ANCHOR_END: inner
}

/* All `steps` slots of a tile; i counts slots over all tiles. */
template <class DONE, class TAKE, class WHILE>
static __device__ __forceinline__ void
multiply_in_turns(float (&sum)[WIDE / 2], const slots &r, int group, int steps,
                  int &i, DONE done, TAKE &take, WHILE first)
{
    slot_in_turns<true>(sum, r, group, i++, done, take, first);
    for (int step = 1; step < steps; step++)
        slot_in_turns<false>(sum, r, group, i++, done, take, first);
}

/* ---- sums that leave by halves ---- */

/* A tile whose sums have still to leave; no tile if `row` is LATER_NONE. */
struct halves {
    char *panels;
    const CUtensorMap *c_map;
    int group, row, col;
};

/* Sends a half of the sums, times `scale`. As panel_send() does, but a chunk is
 * rounded when its turn has come. */
static __device__ __forceinline__ void halves_send(const halves &h,
                                                   const float (&sum)[WIDE / 2],
                                                   int half, float scale)
{
    const int thread = ptx_thread_anew() % WGMMA_GROUP, lane = thread % WARP;
    const int mine = thread / WARP * 16 + lane % 16; /* the row it names */
    const int first = half * HALF_WIDE / 2;          /* of the half's sums */

    if (h.row != LATER_NONE)
#pragma unroll
        for (int i = 0; i < HALF_WIDE / 64; i++) {
            char *const to = h.panels + i * PANEL;

            if (thread == 0)
                ptx_bulk_wait_read<PANELS - 1>();
            ptx_sync_some(1 + h.group, WGMMA_GROUP); /* the panel is free */
#pragma unroll
            for (int j = 0; j < 4; j++) {
                const int chunk = 2 * j + lane / 16;
                uint32_t pair[4];

#pragma unroll
                for (int e = 0; e < 4; e++) {
                    const int at = first + i * 32 + j * 8 + 2 * e;

                    pair[e] = bf16_pair(sum[at] * scale, sum[at + 1] * scale);
                }
                ptx_stmatrix(to + mine * TENSOR_MAP_PANEL +
                                 (chunk ^ mine % 8) * 16,
                             pair);
            }
            ptx_fence_async();
            ptx_sync_some(1 + h.group, WGMMA_GROUP); /* the panel is whole */
            if (thread == 0) {
                ptx_tile_store(h.c_map, h.col + half * HALF_WIDE + i * 64,
                               h.row, to, ptx_evict_first());
                ptx_bulk_commit();
            }
        }
}

#endif

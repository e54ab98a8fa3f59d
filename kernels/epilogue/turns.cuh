/*
 * kernels/epilogue/turns.cuh - two warp groups that come to the end of a tile
 * one after the other, as in epilogue/hidden.
 */
#ifndef KERNELS_EPILOGUE_TURNS_CUH
#define KERNELS_EPILOGUE_TURNS_CUH

#include "kernels/epilogue/layer.cuh"

enum {
    TURN = 1 + GROUPS,              /* a barrier behind those of panels */
    IN_TURN = GROUPS * WGMMA_GROUP, /* threads that meet there */
    HELD = STAGES, /* slots at the end of a tile that group 1 has to wait for */
};

/*
 * Group 0 may be ahead of group 1 by as many slots as there are. So with more
 * slots in a tile than that, it passes a turn only when group 1 has taken the
 * one of the tile before. With fewer a turn could be passed twice.
 */
static __device__ __forceinline__ bool in_turns(int steps)
{
    return steps > HELD;
}

/*
 * As multiply() of kernels/gemm16/wide.cuh, for the slots from `step` to `end`;
 * the products of the last one are still under way.
 */
template <class DONE, class MEANWHILE>
static __device__ __forceinline__ void
multiply_some(float (&sum)[WIDE / 2], const slots &r, int group, int step,
              int end, int &i, DONE done, MEANWHILE meanwhile)
{
    // ANCHOR: some
    for (bool first = true; step < end; step++, i++, first = false) {
        const int s = i % STAGES;

        ptx_mbar_wait(&r.full[s], i / STAGES & 1);
        const uint64_t at = wgmma_tile(r.a + s * A_BYTES +
                                       group * WGMMA_HIGH * TENSOR_MAP_PANEL);
        const uint64_t bt = wgmma_tile(r.b + s * B_BYTES);

        wgmma_begin();
#pragma unroll
        for (int j = 0; j < DEEP / WGMMA_DEEP; j++)
            wgmma_bf16(sum, wgmma_along(at, j), wgmma_along(bt, j),
                       step > 0 || j > 0);
        wgmma_commit();
        meanwhile(step);
        wgmma_wait<1>(); /* the products of the step before have ended */
        if (!first)
            done((i - 1) % STAGES);
    }
    // ANCHOR_END: some
}

/* All `steps` slots of a tile, the last ones in turns. */
template <class DONE, class MEANWHILE>
static __device__ __forceinline__ void
multiply_in_turns(float (&sum)[WIDE / 2], const slots &r, int group, int steps,
                  int &i, DONE done, MEANWHILE meanwhile)
{
    const bool turns = in_turns(steps);

    // ANCHOR: turns
    if (turns) {
        multiply_some(sum, r, group, 0, steps - HELD, i, done, meanwhile);
        wgmma_wait<0>();
        done((i - 1) % STAGES);
        if (group == 1)
            ptx_sync_some(TURN, IN_TURN);
    }
    multiply_some(sum, r, group, turns ? steps - HELD : 0, steps, i, done,
                  meanwhile);
    if (turns && group == 0)
        ptx_arrive_some(TURN, IN_TURN);
    wgmma_wait<0>();
    done((i - 1) % STAGES);
    // ANCHOR_END: turns
}

/* A warp group: the outputs of its 64 rows, pair of tiles by pair. */
template <epilogue_act ACT>
static __device__ __forceinline__ void
compute_in_turns(const layer &l, const slots &r, int group, uint32_t *biases,
                 const CUtensorMap *c_map)
{
    const int steps = ceil_div(l.p.k, DEEP);
    char *const panels = r.behind + group * PANELS * PANEL;
    waiting<ACT> before;
    float sum[WIDE / 2];
    int i = 0;

    before.row = LATER_NONE;
    for (int pair = blockIdx.x / PAIR; pair < pairs_of(l.p);
         pair += gridDim.x / PAIR) {
        const place at = place_of(l.p, pair);

        multiply_in_turns(sum, r, group, steps, i, tell_both{r}, [&](int step) {
            waiting_send(before, step, false, panels, c_map, group);
            if (step == 0)
                bias_ask(l, at.left, biases);
        });
        waiting_send(before, steps, true, panels, c_map, group);
        bias_wait(group);
        finish<ACT>(before.word, sum, biases);
        waiting_at(before, at, group);
    }
    waiting_send(before, 0, true, panels, c_map, group);
    if (threadIdx.x % WGMMA_GROUP == 0)
        ptx_bulk_wait<0>(); /* the last panels are in C */
}

#endif

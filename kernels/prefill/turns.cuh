/*
 * kernels/prefill/turns.cuh - two warp groups start products by turns. Scores
 * are a tile ahead of values.
 */
#ifndef KERNELS_PREFILL_TURNS_CUH
#define KERNELS_PREFILL_TURNS_CUH

#include "kernels/prefill/producer.cuh"

enum {
    TURN = 1, /* named barriers TURN and TURN + 1: of each group */
    IN_TURN = GROUPS * WGMMA_GROUP,
};

/* Before the first turn, which is that of group 0. */
static __device__ __forceinline__ void turns_begin(void)
{
    if (threadIdx.x / WGMMA_GROUP == 1)
        ptx_arrive_some(TURN, IN_TURN);
}

/* Waits until the other group has started its products. */
static __device__ __forceinline__ void turn_wait(void)
{
    ptx_sync_some(TURN + threadIdx.x / WGMMA_GROUP, IN_TURN);
}

/* It is the other group's turn. */
static __device__ __forceinline__ void turn_pass(void)
{
    ptx_arrive_some(TURN + 1 - threadIdx.x / WGMMA_GROUP, IN_TURN);
}

/* What is live from tile to tile: weights, scores, sums. */
template <int D> struct live {
    uint32_t p[KEYS / WGMMA_DEEP][4];
    float s[KEYS / 2], o[D / 2];
    struct online of;
};

/*
 * The scores of the first tile to come, and its weights, in a turn. It is tile
 * n of the block. done(empty) says that the products of a slot have ended.
 */
template <int D, class DONE>
static __device__ __forceinline__ void
first_weights(live<D> &x, const attention &a, const work &w, const room<D> &r,
              int n, float scale, DONE done TRACE_TAKES)
{
    float back[2];

    x.of = online_begin();
#pragma unroll
    for (int i = 0; i < D / 2; i++)
        x.o[i] = 0;
    ptx_mbar_wait(&r.b->k_full[n % SLOTS], parity(n));
    turn_wait();
    TRACE_BEGIN(SCORES, n);
    wgmma_begin();
    start_scores<D>(x.s, r.q, r.keys(n));
    wgmma_commit();
    turn_pass();
    wgmma_wait<0>();
    wgmma_landed(x.s);
    TRACE_END(SCORES, n);
    TRACE_BEGIN(SOFTMAX, n);
    done(&r.b->k_empty[n % SLOTS]);
    hide_first(x.s, a, w);
    soften(x.s, scale, x.of, back);
    pack(x.p, x.s);
    wgmma_ready(x.o);
    TRACE_END(SOFTMAX, n);
}

/* Both products of a turn are started: scores of tile n + 1, values of tile n.
 */
template <int D>
static __device__ __forceinline__ void take_turn(live<D> &x, const room<D> &r,
                                                 int n TRACE_TAKES)
{
    ptx_mbar_wait(&r.b->k_full[(n + 1) % SLOTS], parity(n + 1));
    ptx_mbar_wait(&r.b->v_full[n % SLOTS], parity(n));
    turn_wait();
    TRACE_BEGIN(SCORES, n + 1);
    TRACE_BEGIN(VALUES, n);
    wgmma_begin();
    start_scores<D>(x.s, r.q, r.keys(n + 1));
    wgmma_commit();
    start_values<D>(x.o, x.p, r.values(n));
    wgmma_commit();
    turn_pass();
}

/* The product of the last tile's weights, in a turn. */
template <int D, class DONE>
static __device__ __forceinline__ void last_values(live<D> &x, const room<D> &r,
                                                   int n, DONE done TRACE_TAKES)
{
    ptx_mbar_wait(&r.b->v_full[n % SLOTS], parity(n));
    turn_wait();
    TRACE_BEGIN(VALUES, n);
    wgmma_begin();
    start_values<D>(x.o, x.p, r.values(n));
    wgmma_commit();
    turn_pass();
    wgmma_wait<0>();
    wgmma_landed(x.o);
    TRACE_END(VALUES, n);
    done(&r.b->v_empty[n % SLOTS]);
}

#endif

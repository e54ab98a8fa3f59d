/*
 * kernels/prefill/turns.cuh - two warp groups start products by turns.
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

#endif

/*
 * kernels/step/branch.cuh - a wait for the kernel before that loads stay in
 * front of, and prefetches of weights that are loaded only behind it.
 */
#ifndef KERNELS_STEP_BRANCH_CUH
#define KERNELS_STEP_BRANCH_CUH

#include "kernels/step/early.cuh"

enum {
    BRANCH_CARVEOUT = 72, /* percent: 164 KB of 228, as in step/early */
    BRANCH_ROUND = ONE_LOADS * ONE_STEP /* elements loaded before the wait */
};

// ANCHOR: wait
/* Waits for the kernel before, on either side of a branch. The assembler moves
 * loads behind a plain wait, but not behind this branch. */
static __device__ __forceinline__ void branch_wait(int wave)
{
    if ((int)blockIdx.x < wave)
        ptx_wait_for_last_kernel();
    else
        ptx_wait_for_last_kernel();
}
// ANCHOR_END: wait

/* Who asks for what: block b of [0, blocks) for the second round of the rows of
 * `each` blocks, of itself and those step, 2 step, … further on. */
struct branch_asks {
    int blocks, each, step;
};

// ANCHOR: ask
/* Asks the L2 for the second round of rows. A lane asks for one row of a pair;
 * `each` is at most half a warp. */
static __device__ __forceinline__ void branch_ask(const product_rows &r,
                                                  const branch_asks &asks)
{
    const int lane = threadIdx.x % WARP, which = lane / 2;
    const int block = blockIdx.x + which * asks.step;
    const int pair = block * ONE_WARPS + threadIdx.x / WARP;
    const int left = min(r.k - BRANCH_ROUND, (int)BRANCH_ROUND);

    if ((int)blockIdx.x < asks.blocks && which < asks.each && pair < r.n / 2 &&
        left > 0)
        ptx_bulk_prefetch(
            r.w + (size_t)(pair * r.step + lane % 2 * r.apart) * r.k +
                BRANCH_ROUND,
            left * 2);
}
// ANCHOR_END: ask

static inline int branch_blocks(const product_rows &r)
{
    return (r.n / 2 + ONE_WARPS - 1) / ONE_WARPS;
}

/* Blocks that are on the device at once. */
static inline int branch_wave(const chain &x)
{
    return ONE_BLOCKS * x.sms;
}

#endif

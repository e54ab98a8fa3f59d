/*
 * kernels/allreduce/oneshot.cuh - each GPU reads the vectors of all: blocks
 * meet, add up what they load from everywhere, and meet again, since nobody may
 * change a vector that is still read.
 */
#ifndef KERNELS_ALLREDUCE_ONESHOT_CUH
#define KERNELS_ALLREDUCE_ONESHOT_CUH

#include "kernels/allreduce/peers.cuh"

// ANCHOR: inner
template <int GPUS>
static __global__ void __launch_bounds__(THREADS, 1)
    one_shot(const __grid_constant__ peers p)
{
    box *const mine = box_of(p, p.rank);
    const uint32_t ticket = mine->ticket;

    meet<GPUS>(p, ticket + 1); /* their vectors are there */
    add_here<GPUS>(p);
    meet<GPUS>(p, ticket + 2); /* nobody reads mine any more */
    if (threadIdx.x == 0)
        mine->ticket = ticket + 2;
}
// ANCHOR_END: inner

#endif

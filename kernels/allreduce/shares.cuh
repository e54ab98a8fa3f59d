/*
 * kernels/allreduce/shares.cuh - the share of each GPU: vectors of 16 bytes
 * that it adds up for all. The last GPU also has the numbers behind the last
 * vector.
 */
#ifndef KERNELS_ALLREDUCE_SHARES_CUH
#define KERNELS_ALLREDUCE_SHARES_CUH

#include "kernels/allreduce/peers.cuh"

/* The first vector of GPU g's share; that of GPU GPUS would be the end. */
template <int GPUS> PTX_FN unsigned share_begins(const peers &p, int g)
{
    return (unsigned)(p.n / VECTOR * g / GPUS);
}

/* The last numbers, for all GPUs. */
template <int GPUS> PTX_FN void share_rest(const peers &p)
{
    if (p.rank == GPUS - 1)
        add_rest<GPUS>(p, [&](size_t i, uint16_t v) {
            for (int h = 0; h < GPUS; h++)
                p.sum[h][i] = v;
        });
}

#endif

/*
 * kernels/decode/splits.cuh - rows cut into pieces of SPAN keys, one for each
 * block.
 */
#ifndef KERNELS_DECODE_SPLITS_CUH
#define KERNELS_DECODE_SPLITS_CUH

#include "kernels/decode/attention.cuh"

enum { SPAN = 512 };

/* Pieces of a row of so many keys. */
static __host__ __device__ inline int splits_of(int keys)
{
    return ceil_div(keys, SPAN);
}

#endif

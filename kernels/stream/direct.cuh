/*
 * kernels/stream/direct.cuh - the pieces of a tile that goes through
 * registers, and of the ragged end of an array; see unroll.cu.
 *
 * A tile is a run of elements that one block handles. Only the last tile of
 * an array can be partial, and it goes element by element.
 */
#ifndef KERNELS_STREAM_DIRECT_CUH
#define KERNELS_STREAM_DIRECT_CUH

#include "kernels/stream/stream.h"

#define DIRECT_FN static __device__ __forceinline__

/* b + s c, four at a time. */
DIRECT_FN float4 direct_add_scaled(float4 b, float4 c)
{
    return make_float4(b.x + STREAM_SCALE * c.x, b.y + STREAM_SCALE * c.y,
                       b.z + STREAM_SCALE * c.z, b.w + STREAM_SCALE * c.w);
}

/* The block does elements begin … n-1 one by one; c is NULL for a copy. */
DIRECT_FN void direct_rest(float *a, const float *b, const float *c,
                           size_t begin, size_t n)
{
    for (size_t i = begin + threadIdx.x; i < n; i += blockDim.x)
        a[i] = c ? b[i] + STREAM_SCALE * c[i] : b[i];
}

/* This thread's share of the sum of elements begin … n-1. */
DIRECT_FN float direct_rest_sum(const float *b, size_t begin, size_t n)
{
    float sum = 0;

    for (size_t i = begin + threadIdx.x; i < n; i += blockDim.x)
        sum += b[i];
    return sum;
}

#endif

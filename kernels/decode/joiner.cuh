/*
 * kernels/decode/joiner.cuh - what blocks leave of the pieces of a row is
 * joined by a second kernel.
 */
#ifndef KERNELS_DECODE_JOINER_CUH
#define KERNELS_DECODE_JOINER_CUH

#include "kernels/decode/splits.cuh"

enum { JOINERS = 4 /* warps of a block that joins */ };

/* Places in scratch memory: for each sequence and each of its heads, as many as
 * the longest sequence needs. A place has one head. */
static __host__ __device__ inline parts places(const attention &a,
                                               void *scratch)
{
    return parts_at(scratch, a.b * a.heads * splits_of(a.l), 1);
}

static inline size_t places_bytes(const struct kernel_case *c)
{
    return parts_bytes(decode_num(c, "b") * decode_num(c, "heads") *
                           splits_of(decode_num(c, "l")),
                       1);
}

/* A warp for each head of each sequence. */
static __global__ void __launch_bounds__(JOINERS *WARP)
    join_splits(struct attention a, void *scratch)
{
    const int query = blockIdx.x * JOINERS + threadIdx.x / WARP;
    const int most = splits_of(a.l);

    if (query >= a.b * a.heads)
        return;
    struct weight all;
    const float4 o = join(
        places(a, scratch), 0, splits_of(a.where[query / a.heads]),
        [&](int i) { return query * most + i; }, all);

    put(a, query, o, all);
}

/* Its blocks. */
static inline int joiners_of(const attention &a)
{
    return ceil_div(a.b * a.heads, JOINERS);
}

#endif

/*
 * kernels/verify/joint.cuh - the blocks of a row wait for each other's parts,
 * and each joins some of the queries. So all of them must be at work at once.
 */
#ifndef KERNELS_VERIFY_JOINT_CUH
#define KERNELS_VERIFY_JOINT_CUH

#include "kernels/verify/wave.cuh"

// ANCHOR: joint
/* Waits until all n parts of the row have been left, and joins its share. */
template <int ROWS>
static __device__ __forceinline__ void
finish_all(const draft &d, const struct row &r, warp_parts<ROWS> &sums,
           const pieces &p, int n)
{
    const int first = blockIdx.y * p.by.most, mine = blockIdx.x;
    const int warp = threadIdx.x / WARP;
    struct counts *const c = p.counts + blockIdx.y;
    struct weight all;

    for (int h = warp; h < r.heads; h += WARPS) {
        const float4 o = join_warps(sums, h, all);

        leave(p.places, first + mine, h, o, all);
    }
    __syncthreads(); /* all warps have left their sums */
    if (threadIdx.x == 0) {
        if (part_arrive(&c->left) == n - 1u)
            block_tell(&c->all);
        else
            block_wait(&c->all);
    }
    __syncthreads(); /* all parts are there */
    for (int h = mine * WARPS + warp; h < r.heads; h += n * WARPS) {
        const float4 o = join(
            p.places, h, n, [&](int i) { return first + i; }, all);

        put(d.a, query_of(d.a, r, h), o, all);
    }
    if (threadIdx.x == 0 && part_arrive(&c->read) == n - 1u)
        *c = {}; /* for the next launch: nobody waits any more */
}
// ANCHOR_END: joint

/* The block: its piece of a row, and its share of the join. ready() is that of
 * attend(). */
template <int ROWS, class READY>
static __device__ __forceinline__ void
attend_jointly(char *raw, const draft &d, const pieces &p, READY ready)
{
    const struct row r = row_of(d.a, blockIdx.y, ROWS);
    const int keys = d.a.where[r.sequence], n = ceil_div(keys, p.by.span);
    const stretch w = stretch_of(d, p.by, keys);

    if (w.first >= keys)
        return;
    warp_parts<ROWS> &sums = attend<ROWS>(raw, d, r, w, ready);

    if (n == 1)
        finish_last(d, r, sums, p, blockIdx.y, keys);
    else
        finish_all(d, r, sums, p, n);
}

#endif

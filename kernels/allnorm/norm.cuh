/*
 * kernels/allnorm/norm.cuh - the kernel that follows an all-reduce: residual
 * and RMSNorm of rows that are summed up already, a block for each.
 */
#ifndef KERNELS_ALLNORM_NORM_CUH
#define KERNELS_ALLNORM_NORM_CUH

#include "kernels/allnorm/rows.cuh"

// ANCHOR: inner
static __global__ void __launch_bounds__(THREADS, 2)
    norm_rows(const __grid_constant__ rows s, const uint16_t *sum)
{
    const int row = blockIdx.x, me = s.p.rank;
    float v[DEEP * VECTOR] = {};
    uint4 w[DEEP];

    take(s, s.w, w);
    for_mine(s, [&](int k, int i) {
        const uint4 x = load(at(sum, s, row, i));

        store(at(s.p.sum[me], s, row, i),
              add_to<1>(load(at(s.r, s, row, i)), &x, v + k * VECTOR));
    });
    const float factor = factor_of(s, squares_of<DEEP * VECTOR>(v), 0);

    for_mine(s, [&](int k, int i) {
        store(at(s.y[me], s, row, i), scale(v + k * VECTOR, factor, w[k]));
    });
}
// ANCHOR_END: inner

#endif

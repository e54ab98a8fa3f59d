/*
 * kernels/allnorm/shares.cuh - rows that belong to a GPU: it adds them up for
 * all. Of every GPUS rows that follow each other each GPU has one. Block b of
 * all GPUs has the same groups of GPUS rows.
 */
#ifndef KERNELS_ALLNORM_SHARES_CUH
#define KERNELS_ALLNORM_SHARES_CUH

#include "kernels/allnorm/rows.cuh"

/* f(row) for the first row of each of the block's groups. */
template <int GPUS, typename F> PTX_FN void for_groups(const rows &s, F f)
{
    for (int row = GPUS * blockIdx.x; row < s.tokens; row += GPUS * gridDim.x)
        f(row);
}

/* Loads a row from all GPUs, and adds it up with the residual: h, also as
 * numbers v. */
template <int GPUS>
PTX_FN void add_row(const rows &s, int row, uint4 *h, float *v)
{
    uint4 x[DEEP][GPUS], r[DEEP];

    for_mine(s, [&](int k, int i) {
#pragma unroll
        for (int g = 0; g < GPUS; g++)
            x[k][g] = load(at(s.p.x[g], s, row, i));
        r[k] = load(at(s.r, s, row, i));
    });
    for_mine(s, [&](int k, int) {
        h[k] = add_to<GPUS>(r[k], x[k], v + k * VECTOR);
    });
}

static inline unsigned shares_blocks(const struct kernel_case *c,
                                     const struct kernel_env *env)
{
    return blocks_for(env, allnorm_tokens(c), kernel_gpus(c), MOST_BLOCKS);
}

#endif

/*
 * kernels/launch/launch.h - what all variants of `launch` agree on.
 *
 * Buffers: 0: out[n] (out)   1: v[n]   2: x[nodes]
 *          3: scratch of 2 n floats, and what a variant adds behind them
 * with n = blocks · LAUNCH_THREADS.
 *
 * Step r makes a vector of n floats from that of the step before:
 *
 *     to[i] = from[(i + shift) mod n] + x[r]
 *
 * The first reads v, the last writes out, those between go to and fro between
 * the halves of scratch. `shift` is about half of n, so each block needs what
 * a far block did in the step before: a step that begins too early, is left
 * out or comes twice shows in the result.
 */
#ifndef KERNELS_LAUNCH_LAUNCH_H
#define KERNELS_LAUNCH_LAUNCH_H

#include "kernels/kernel.h"

enum {
    LAUNCH_THREADS = 128, /* of a block; one element each */
};

/* A case in numbers. */
struct launch_chain {
    int nodes;            /* steps */
    unsigned blocks;      /* of LAUNCH_THREADS */
    unsigned n;           /* elements */
    unsigned shift;       /* how far a step reaches: under n, or 0 */
    float *out, *half[2]; /* half: of scratch */
    const float *v, *x;
};

static inline struct launch_chain launch_chain(const struct kernel_case *c,
                                               void *const *buf)
{
    const unsigned blocks = (unsigned)kernel_num(c, "blocks");
    const unsigned n = blocks * LAUNCH_THREADS;
    struct launch_chain k;

    k.nodes = (int)kernel_num(c, "nodes");
    k.blocks = blocks;
    k.n = n;
    k.shift = blocks > 1 ? (blocks / 2 * LAUNCH_THREADS) : 0;
    k.out = (float *)buf[0];
    k.v = (const float *)buf[1];
    k.x = (const float *)buf[2];
    k.half[0] = (float *)buf[3];
    k.half[1] = k.half[0] + n;
    return k;
}

#endif

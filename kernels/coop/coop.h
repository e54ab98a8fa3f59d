/*
 * kernels/coop/coop.h - what all variants of `coop` agree on.
 *
 * Buffers: 0: out[n] (out)   1: x[n]   2: scratch, where a variant has it
 * with n = blocks · COOP_THREADS: one element for each thread.
 *
 * Threads belong to groups; the case's `scope` says to which:
 *
 *     tile        8 lanes in a row
 *     warp        32 lanes
 *     coalesced   the lanes of a warp whose number is not 1 modulo 3: a group
 *                 that stands nowhere in the source. The others sit it out.
 *     block       256 threads
 *     cluster     4 blocks
 *     grid        all blocks
 *
 * Each thread begins with v = x[i], and then in each round the group does one
 * operation, the result of which every member needs for the next:
 *
 *     v = f · op(v) + x[i]
 *
 * op=reduce is the sum over the group, op=scan the sum of the members up to
 * this one; f is a power of two that keeps v small: 1 over the number of
 * members, rounded up to a power of two. A thread that sits out leaves x[i].
 */
#ifndef KERNELS_COOP_COOP_H
#define KERNELS_COOP_COOP_H

#include "kernels/kernel.h"
#include "kernels/warp.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    COOP_TILE = 8,
    COOP_THREADS = 256, /* of a block */
    COOP_WARPS = COOP_THREADS / WARP,
    COOP_CLUSTER = 4,  /* blocks */
    COOP_BLOCKS = 128, /* at most */
};

enum coop_scope {
    COOP_SCOPE_TILE,
    COOP_SCOPE_WARP,
    COOP_SCOPE_COALESCED,
    COOP_SCOPE_BLOCK,
    COOP_SCOPE_CLUSTER,
    COOP_SCOPE_GRID,
    COOP_SCOPES,
};

/* What the words of a case mean. */
enum coop_scope coop_scope_of(const struct kernel_case *c);
bool coop_is_scan(const struct kernel_case *c);

/* f of a case. */
float coop_factor(const struct kernel_case *c);

#ifdef __cplusplus
}
#endif
#endif

/*
 * kernels/occupancy/occupancy.h - what all variants of `occupancy` agree on.
 *
 * Buffers: 0: sums (out)   1: x[n]
 *
 * x is cut into pieces of 4096 floats, and a piece into 32 columns of vectors
 * of four: column l has the vectors l, l + 32, l + 64, … of its piece. There
 * is one sum for each column of each piece, which is what one lane of a warp
 * adds up when the warp reads the piece from end to end.
 *
 * A case says how many warps there are on an SM, and how many 16-byte loads
 * each of their threads has in flight. `inflight` is the product, in KiB per
 * SM.
 */
#ifndef KERNELS_OCCUPANCY_OCCUPANCY_H
#define KERNELS_OCCUPANCY_OCCUPANCY_H

#include "kernels/kernel.h"
#include "kernels/warp.h"

enum {
    OCCUPANCY_VECTOR = 4,   /* floats: 16 bytes */
    OCCUPANCY_PIECE = 4096, /* floats: 16 KiB */
    OCCUPANCY_ROWS = OCCUPANCY_PIECE / OCCUPANCY_VECTOR / WARP,
    OCCUPANCY_THREADS = 128, /* of a block: four warps */
    OCCUPANCY_WARPS = OCCUPANCY_THREADS / WARP,
};

/* Pieces of n floats; the last may be short. */
static inline size_t occupancy_pieces(size_t n)
{
    return (n + OCCUPANCY_PIECE - 1) / OCCUPANCY_PIECE;
}

#endif

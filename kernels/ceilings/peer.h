/*
 * kernels/ceilings/peer.h - what the peer ceilings share with their kernels:
 * who sends which piece of its elements to whom.
 *
 * Every GPU cuts its n elements into pieces. Piece i of GPU g goes to GPU
 * (g + 1 + i) mod gpus, to the same place there. So GPU h gets each piece
 * once, piece i from GPU (h - 1 - i) mod gpus.
 *
 *   way=one    GPU 0 alone sends, all it has, to GPU 1: one direction
 *   way=ring   each sends all it has to the next: both directions
 *   way=all    each sends a share to every other
 */
#ifndef KERNELS_CEILINGS_PEER_H
#define KERNELS_CEILINGS_PEER_H

#include <string.h>

#include "kernels/kernel.h"

enum { PEER_TO, PEER_FROM }; /* buffers: what arrives, what is sent */

static inline bool peer_is_one(const struct kernel_case *c)
{
    return strcmp(kernel_word(c, "way"), "one") == 0;
}

/* Pieces that a GPU sends. */
static inline int peer_pieces(const struct kernel_case *c)
{
    return strcmp(kernel_word(c, "way"), "all") == 0 ? kernel_gpus(c) - 1 : 1;
}

/* GPUs that send anything: the first so many. */
static inline int peer_senders(const struct kernel_case *c)
{
    return peer_is_one(c) ? 1 : kernel_gpus(c);
}

/* Where piece i of p begins: at a multiple of four elements, 16 bytes. Piece p
   would begin at the end. */
static inline size_t peer_begins(size_t n, int i, int p)
{
    return i == p ? n : n * (size_t)i / (size_t)p / 4 * 4;
}

#endif

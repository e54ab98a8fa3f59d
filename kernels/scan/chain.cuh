/*
 * kernels/scan/chain.cuh - what `chained`, `lookback` and `warp` share: a
 * block scans one tile, and learns from the words of others what comes
 * before it.
 *
 * Nobody promises in which order blocks start, so a block does not take the
 * tile of its own number: it draws a ticket. Whoever has a tile then knows
 * that all tiles before it were taken by blocks that run or are done, and
 * may wait for them.
 *
 * The counter of tickets is never set back: launch number e of T tiles draws
 * the tickets from e T on, so a ticket also tells the launch, and its words
 * are marked with it. What the launch before left behind is not mistaken for
 * news, and nothing has to be cleared between two launches.
 */
#ifndef KERNELS_SCAN_CHAIN_CUH
#define KERNELS_SCAN_CHAIN_CUH

#include "kernels/scan/scan.cuh"

enum {
    CHAIN_THREADS = 256,
    CHAIN_WARPS = CHAIN_THREADS / SCAN_WARP,
    CHAIN_ROWS = 4,
    CHAIN_SPAN = CHAIN_ROWS * SCAN_ROW, /* elements of a warp */
    CHAIN_TILE = CHAIN_WARPS * CHAIN_SPAN,
};

struct chain {
    unsigned long long tickets;
    uint64_t word[]; /* one per tile: scan_word */
};

/*
 * A word's tag: twice the number of the launch, and 1 if the sum goes back
 * to the first element (a *prefix*), 0 if it is that of the tile alone.
 */
enum { CHAIN_TILE_ONLY, CHAIN_PREFIX };

struct chain_turn {
    unsigned tile;
    unsigned tag; /* of a sum of this launch of the tile alone */
};

/* The tile that is this block's to scan. The same in all threads. */
SCAN_FN struct chain_turn chain_draw(struct chain *c)
{
    __shared__ struct chain_turn turn;

    if (threadIdx.x == 0) {
        const unsigned long long ticket = atomicAdd(&c->tickets, 1ull);

        turn.tile = (unsigned)(ticket % gridDim.x);
        turn.tag = (unsigned)(ticket / gridDim.x + 1) << 1;
    }
    __syncthreads();
    return turn;
}

/* Waits for a word of this launch. */
SCAN_FN scan_word<float> chain_wait(const uint64_t *word, unsigned tag)
{
    scan_word<float> w;

    do
        w = scan_get<float>(word);
    while ((w.tag | CHAIN_PREFIX) != (tag | CHAIN_PREFIX));
    return w;
}

static inline unsigned chain_blocks(const struct kernel_case *c)
{
    return (unsigned)scan_pieces(scan_length(c), CHAIN_TILE);
}

static inline size_t chain_scratch(const struct kernel_case *c)
{
    return sizeof(struct chain) + chain_blocks(c) * sizeof(uint64_t);
}

#endif

/*
 * kernels/scan/chain.cuh - what `chained`, `lookback` and `warp` share: a
 * block scans one tile, and learns from the words of others what comes
 * before it.
 *
 * CUDA does not promise in which order blocks start, so a block draws a ticket
 * instead of taking the tile of its own number. A block that has a tile then
 * knows that blocks which run or are done took all tiles before it, and may
 * wait for them.
 *
 * The counter of tickets is never set back. Launch number e of T tiles draws
 * the tickets from e T on, so a ticket also gives the number of the launch,
 * which marks its words. A block therefore ignores the words of earlier
 * launches, and nothing has to be cleared between two launches.
 */
#ifndef KERNELS_SCAN_CHAIN_CUH
#define KERNELS_SCAN_CHAIN_CUH

#include "kernels/scan/scan.cuh"

enum {
    CHAIN_THREADS = 256,
    CHAIN_WARPS = CHAIN_THREADS / WARP,
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

/* A tile in the registers of its block: a warp's rows in each warp. */
struct chain_share {
    scan_vector<float>
        v[CHAIN_ROWS];  /* sums of the elements before, of a warp */
    size_t begin, left; /* of the warp's elements */
    float warps;        /* the sum of the warps before */
    float all;          /* the sum of the tile */
};

/* Loads a tile and scans it within itself. One barrier. */
SCAN_FN void chain_load(chain_share &s, const float *x, size_t n, unsigned tile)
{
    s.begin = tile * (size_t)CHAIN_TILE + threadIdx.x / WARP * CHAIN_SPAN;
    s.left = scan_left(n, s.begin);
    scan_load(s.v, x + s.begin, s.left);
    s.warps = scan_warps<float, CHAIN_WARPS>(scan_rows(s.v), &s.all);
}

/* Adds the sum of all tiles before this one, and writes the tile. */
SCAN_FN void chain_store(float *y, chain_share &s, float before)
{
    scan_add(s.v, before + s.warps);
    scan_store(y + s.begin, s.v, s.left);
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

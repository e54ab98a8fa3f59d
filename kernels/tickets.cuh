/*
 * kernels/tickets.cuh - rows by ticket, for blocks that stay on their SM.
 *
 * With fixed rows, blocks drift apart and read and write all over memory. By
 * ticket, a block that is done takes the next row that no block has taken, so
 * all of them work within a narrow window that moves through memory in order.
 */
#ifndef KERNELS_TICKETS_CUH
#define KERNELS_TICKETS_CUH

#include "kernels/ptx.cuh"

#define TICKETS_FN static __device__ __forceinline__

/* Counters in scratch memory, zero before and after each launch. */
struct tickets {
    unsigned drawn, ended;
};

/* The next row, when blocks began with the first `begun` without a ticket. */
TICKETS_FN int tickets_draw(struct tickets *t, unsigned begun)
{
    return begun + atomicAdd(&t->drawn, 1);
}

/* Said once by each of `parties` that draw: the last puts the counters back. */
TICKETS_FN void tickets_end(struct tickets *t, unsigned parties)
{
    if (atomicAdd(&t->ended, 1) == parties - 1) {
        t->drawn = 0;
        t->ended = 0;
    }
}

/* Makes the barriers of a ring ready, by the thread that fills its slots. */
template <int SLOTS> TICKETS_FN void tickets_barriers(uint64_t *full)
{
    for (int s = 0; s < SLOTS; s++)
        ptx_mbar_init(&full[s], 1);
    ptx_mbar_init_fence();
}

/*
 * The end of a block that has met a row behind the last in slot `turn` of its
 * ring; `starter` is the thread that filled the slots.
 *
 * That thread also waits for the SLOTS - 1 slots behind. They say that there
 * are no more rows either, so the kernel does not need it; but
 * compute-sanitizer reports a barrier with an arrival that no thread waits for.
 */
template <int SLOTS>
TICKETS_FN void tickets_leave(struct tickets *t, uint64_t *full, int turn,
                              bool starter)
{
    for (int last = turn + SLOTS - 1; starter && turn < last;) {
        turn++;
        ptx_mbar_wait(&full[turn % SLOTS], turn / SLOTS % 2);
    }
    if (starter)
        tickets_end(t, gridDim.x);
}

#endif

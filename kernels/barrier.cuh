/*
 * kernels/barrier.cuh - a counter that all blocks of a kernel wait at.
 *
 * The shares of all parties add up to BARRIER_TURN, the top bit. When all have
 * added theirs the top bit has turned over and the rest is 0, as it was in the
 * beginning. launch/atomic explains. All blocks must be on the device at once:
 * a cooperative launch sees to that.
 */
#ifndef KERNELS_BARRIER_CUH
#define KERNELS_BARRIER_CUH

#define BARRIER_TURN 0x80000000u

enum {
    BARRIER_PAUSE_NS = 20,
    BARRIER_ADDER = 0,   /* the thread of a block that adds … */
    BARRIER_LOOKER = 32, /* … and the one that looks, of another warp */
};

/* The share of party `who` of `parties`. */
static __device__ inline unsigned barrier_share(unsigned who, unsigned parties)
{
    return who == 0 ? BARRIER_TURN - (parties - 1) : 1;
}

/* Adds a share. Writes that this thread knows of are visible to every thread
 * that sees the sum. */
static __device__ inline void barrier_add(unsigned *count, unsigned share)
{
    asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(count),
                 "r"(share)
                 : "memory");
}

static __device__ inline unsigned barrier_look(const unsigned *count)
{
    unsigned v;

    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                 : "=r"(v)
                 : "l"(count)
                 : "memory");
    return v;
}

/* The top bit. It cannot turn before this block has added its share. */
static __device__ inline unsigned barrier_begin(const unsigned *count)
{
    return barrier_look(count) & BARRIER_TURN;
}

/* Waits until the top bit is `turn`. It sleeps for BARRIER_PAUSE_NS between two
 * loads, since a thread that polls without a pause slows down the additions. */
static __device__ inline void barrier_wait(const unsigned *count, unsigned turn)
{
    while ((barrier_look(count) & BARRIER_TURN) != turn)
        __nanosleep(BARRIER_PAUSE_NS);
}

#endif

/*
 * kernels/launch/barrier.cuh - a counter that many blocks wait at.
 *
 * The shares of all parties add up to BARRIER_TURN, the top bit. When all
 * have added theirs the top bit has turned over and the rest is 0, as it was
 * in the beginning. atomic.cu explains.
 */
#ifndef KERNELS_LAUNCH_BARRIER_CUH
#define KERNELS_LAUNCH_BARRIER_CUH

#include "kernels/launch/launch.cuh"

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

/* Bytes of scratch: two vectors and a counter. */
static inline size_t barrier_scratch(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "blocks") * LAUNCH_THREADS * 2 *
               sizeof(float) +
           sizeof(unsigned);
}

/* Launches the chain so that all its blocks are on the device at once, in
 * clusters of `cluster`. The counter lies behind the vectors. */
static int barrier_launch(void (*kernel)(struct launch_chain, unsigned *),
                          const struct launch_chain &k, unsigned cluster,
                          cudaStream_t stream)
{
    cudaLaunchAttribute attr[2] = {};
    cudaLaunchConfig_t config = {};

    attr[0].id = cudaLaunchAttributeCooperative;
    attr[0].val.cooperative = 1;
    attr[1].id = cudaLaunchAttributeClusterDimension;
    attr[1].val.clusterDim = {cluster, 1, 1};
    config.gridDim = k.blocks;
    config.blockDim = LAUNCH_THREADS;
    config.stream = stream;
    config.attrs = attr;
    config.numAttrs = cluster > 1 ? 2 : 1;
    return cudaLaunchKernelEx(&config, kernel, k,
                              (unsigned *)(k.half[1] + k.n));
}

#endif

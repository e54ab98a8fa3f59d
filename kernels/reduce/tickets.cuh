/*
 * kernels/reduce/tickets.cuh - the sum of a block's share of the input, for
 * reduce/inband and reduce/overlap, which have the essays.
 *
 * Up to HUGE elements, blocks take tiles in turn. From there on they draw
 * tickets: a block that is done with a tile takes the next free one.
 */
#ifndef KERNELS_REDUCE_TICKETS_CUH
#define KERNELS_REDUCE_TICKETS_CUH

#include "kernels/ptx.cuh"
#include "kernels/reduce/reduce.h"
#include "kernels/sum.cuh"
#include "kernels/word.cuh"

enum {
    THREADS = 512,
    BLOCKS_PER_SM = 4,
    TICKET_BLOCKS_PER_SM = 2,
    WIDTH = 4,         /* elements per vector */
    SMALL = 1 << 22,   /* elements: up to here, a tile has SMALL_VECTORS */
    HUGE = 1 << 26,    /* elements: from here on, tiles go by ticket */
    SMALL_VECTORS = 2, /* 16-byte loads in flight per thread */
    LARGE_VECTORS = 8,
};

/* Leaves a sum in *word, flagged as there. */
static __device__ void word_put(uint64_t *word, float sum)
{
    word_store(word, word_of(sum, 1));
}

/* Waits for the sum in *word, and clears it for the next launch. */
static __device__ float word_take(uint64_t *word)
{
    uint64_t v;

    do {
        v = word_load(word);
    } while (!(v & 1));
    *word = 0;
    return word_value(v);
}

/* This thread's share of the sum of x[0 … n-1]: every gridDim.x-th tile. */
template <int VECTORS> static __device__ float share(const float *x, size_t n)
{
    constexpr int TILE = THREADS * VECTORS;
    const float4 *v = (const float4 *)x;
    const size_t nv = n / WIDTH, step = (size_t)gridDim.x * TILE;
    size_t i = blockIdx.x * (size_t)TILE + threadIdx.x;
    const uint64_t once = ptx_evict_first();
    float sum = 0;

    for (; i + (VECTORS - 1) * THREADS < nv; i += step) {
        float4 in[VECTORS];

        for (int k = 0; k < VECTORS; k++)
            in[k] = VECTORS == SMALL_VECTORS
                        ? v[i + k * THREADS]
                        : ptx_load_once(v + i + k * THREADS, once);
        for (int k = 0; k < VECTORS; k++)
            sum += sum_vector(in[k]);
    }
    for (int k = 0; k < VECTORS; k++) /* the partial tile at the end */
        if (i + k * THREADS < nv)
            sum += sum_vector(v[i + k * THREADS]);
    if (blockIdx.x == 0 && threadIdx.x < n % WIDTH)
        sum += x[nv * WIDTH + threadIdx.x];
    return sum;
}

/*
 * The same by ticket: a block starts with the tile of its own number, then
 * takes the next tile that no block has taken. Thread 0 draws the ticket while
 * the loads are in flight and hands it to the block at the one barrier of the
 * tile. Tickets alternate between two places, so that all threads can read one
 * while thread 0 writes the other.
 */
static __device__ float share_by_ticket(const float *x, size_t n,
                                        unsigned *tickets)
{
    constexpr int TILE = THREADS * LARGE_VECTORS;
    const float4 *v = (const float4 *)x;
    const size_t nv = n / WIDTH;
    const uint64_t once = ptx_evict_first();
    __shared__ unsigned next[2];
    float sum = 0;

    if (blockIdx.x == 0 && threadIdx.x < n % WIDTH)
        sum = x[nv * WIDTH + threadIdx.x];
    for (unsigned tile = blockIdx.x, turn = 0; tile * (size_t)TILE < nv;
         tile = next[turn], turn ^= 1) {
        const size_t i = tile * (size_t)TILE + threadIdx.x;
        unsigned ticket = 0;
        float4 in[LARGE_VECTORS];

        if (threadIdx.x == 0)
            ticket = atomicAdd(tickets, 1);
        if (i + (LARGE_VECTORS - 1) * THREADS < nv) {
            for (int k = 0; k < LARGE_VECTORS; k++)
                in[k] = ptx_load_once(v + i + k * THREADS, once);
            for (int k = 0; k < LARGE_VECTORS; k++)
                sum += sum_vector(in[k]);
        } else { /* the partial tile at the end */
            for (int k = 0; k < LARGE_VECTORS; k++)
                if (i + k * THREADS < nv)
                    sum += sum_vector(v[i + k * THREADS]);
        }
        if (threadIdx.x == 0)
            next[turn] = gridDim.x + ticket;
        __syncthreads();
    }
    return sum;
}

static inline size_t length(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "n");
}

/* One block per tile, but no more than fit, or than tickets are best with. */
static inline unsigned blocks_for(const struct kernel_case *c,
                                  const struct kernel_env *env)
{
    const size_t n = length(c);
    const size_t vectors = n <= SMALL ? SMALL_VECTORS : LARGE_VECTORS;
    const size_t tiles = reduce_pieces(n, vectors * THREADS * WIDTH);
    const int per_sm = n < HUGE ? BLOCKS_PER_SM : TICKET_BLOCKS_PER_SM;

    return (unsigned)reduce_min(tiles, (size_t)env->sms * per_sm);
}

#endif

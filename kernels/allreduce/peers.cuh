/*
 * kernels/allreduce/peers.cuh - what the steps share: where the vectors of all
 * GPUs lie, how their blocks meet, and the sum.
 *
 * Block b of one GPU meets block b of the others, and no other block. A meeting
 * has a ticket, one more than the last. Each block leaves the ticket in the
 * scratch memory of the others, where each of them has a place of its own, and
 * waits until it finds it, or a later one, in its own scratch memory. A later
 * one, because who has met may go on to the next meeting before this one has
 * looked. Tickets go on from call to call, so nothing has to be cleared.
 *
 * All blocks of a grid must run at the same time, or one that waits could keep
 * its place from one that is waited for. So no grid has more blocks than there
 * are SMs.
 */
#ifndef KERNELS_ALLREDUCE_PEERS_CUH
#define KERNELS_ALLREDUCE_PEERS_CUH

#include "kernels/allreduce/allreduce.h"
#include "kernels/allreduce/ptx.cuh"
#include "kernels/bf16.h"
#include "kernels/peer.cuh"
#include "kernels/warp.h"

enum {
    THREADS = 512,
    VECTOR = 8, /* numbers of 16 bytes */
    LOADS = 8,  /* of 16 bytes that a thread has under way */
};

/* What a block has in scratch memory: tickets of others, and its own last. */
struct box {
    uint32_t flag[8], ticket, padding[23];
};

enum { MOST_BOXES = 256 };

/* All vectors, as GPU `rank` sees them. */
struct peers {
    const uint16_t *x[ALLREDUCE_MOST];
    uint16_t *sum[ALLREDUCE_MOST];
    char *scratch[ALLREDUCE_MOST]; /* boxes, then what a variant needs */
    size_t n;                      /* numbers of a vector */
    int rank;
};

/* ---- meetings ---- */

PTX_FN box *box_of(const peers &p, int gpu)
{
    return (box *)p.scratch[gpu] + blockIdx.x;
}

/* Waits for a ticket, or a later one. */
PTX_FN void wait_for(const uint32_t *flag, uint32_t ticket)
{
    peer_spin_until([&] { return (int)(ptx_flag_load(flag) - ticket) >= 0; });
}

/* No block ends this before all others have begun it. Afterwards each may read
 * what the others wrote before. */
template <int GPUS> PTX_FN void meet(const peers &p, uint32_t ticket)
{
    const int other = (int)threadIdx.x;

    __syncthreads();
    if (other < GPUS && other != p.rank) {
        ptx_flag_send(&box_of(p, other)->flag[p.rank], ticket);
        wait_for(&box_of(p, p.rank)->flag[other], ticket);
    }
    __syncthreads();
}

/* ---- sums ---- */

PTX_FN void add_pair(float *sum, uint32_t pair)
{
    sum[0] += bf16_first(pair);
    sum[1] += bf16_second(pair);
}

/* The sum of a vector of each GPU, in their order. */
template <int GPUS> PTX_FN uint4 add_all(const uint4 *v)
{
    float s[VECTOR] = {};

    for (int h = 0; h < GPUS; h++) {
        add_pair(s, v[h].x);
        add_pair(s + 2, v[h].y);
        add_pair(s + 4, v[h].z);
        add_pair(s + 6, v[h].w);
    }
    return make_uint4(bf16_pair(s[0], s[1]), bf16_pair(s[2], s[3]),
                      bf16_pair(s[4], s[5]), bf16_pair(s[6], s[7]));
}

/* Adds up the vectors `begin` to `end`, which all threads of the grid share,
 * and hands each sum to put(). */
template <int GPUS, typename PUT>
PTX_FN void add_range(const peers &p, unsigned begin, unsigned end, PUT put)
{
    constexpr int AHEAD = LOADS / GPUS;
    const unsigned step = gridDim.x * THREADS;

    for (unsigned i = begin + blockIdx.x * THREADS + threadIdx.x; i < end;
         i += AHEAD * step) {
        uint4 v[AHEAD][GPUS];

#pragma unroll
        for (int k = 0; k < AHEAD; k++)
#pragma unroll
            for (int h = 0; h < GPUS; h++)
                if (i + k * step < end)
                    v[k][h] = ((const uint4 *)p.x[h])[i + k * step];
#pragma unroll
        for (int k = 0; k < AHEAD; k++)
            if (i + k * step < end)
                put(i + k * step, add_all<GPUS>(v[k]));
    }
}

/* The last numbers, too few for a vector: the first threads of block 0. */
template <int GPUS, typename PUT> PTX_FN void add_rest(const peers &p, PUT put)
{
    const size_t i = p.n / VECTOR * VECTOR + threadIdx.x;
    float s = 0;

    if (blockIdx.x > 0 || i >= p.n)
        return;
    for (int h = 0; h < GPUS; h++)
        s += bf16_value(p.x[h][i]);
    put(i, bf16_round(s));
}

/* The sum of all vectors, for this GPU. */
template <int GPUS> PTX_FN void add_here(const peers &p)
{
    uint16_t *const to = p.sum[p.rank];

    add_range<GPUS>(p, 0, (unsigned)(p.n / VECTOR),
                    [&](unsigned i, uint4 v) { ((uint4 *)to)[i] = v; });
    add_rest<GPUS>(p, [&](size_t i, uint16_t v) { to[i] = v; });
}

/* ---- the host's side ---- */

static inline peers peers_of(const struct kernel_case *c, void *const *buf,
                             int rank)
{
    peers p = {};

    for (int h = 0; h < kernel_gpus(c); h++) {
        void *const *const of = kernel_of_gpu(buf, h);

        p.x[h] = (const uint16_t *)of[ALLREDUCE_X];
        p.sum[h] = (uint16_t *)of[ALLREDUCE_SUM];
        p.scratch[h] = (char *)of[ALLREDUCE_SCRATCH];
    }
    p.n = allreduce_count(c);
    p.rank = rank;
    return p;
}

/* Blocks for so many pieces of work: one for `each` of them, but no more than
 * `most` or than there are SMs. */
static inline unsigned blocks_for(const struct kernel_env *env, size_t work,
                                  size_t each, size_t most)
{
    const size_t sms = (size_t)env->sms, need = (work + each - 1) / each;

    most = most < sms ? most : sms;
    return (unsigned)(need < 1 ? 1 : need < most ? need : most);
}

/* Calls start(p, stream) with the device of each GPU selected, until it fails.
 */
template <typename START>
static int on_all(const struct kernel_case *c, const struct kernel_env *env,
                  void *const *buf, START start)
{
    int rc = 0;

    for (int g = 0; g < env->gpus && !rc; g++) {
        rc = cudaSetDevice(g);
        if (!rc)
            rc = start(peers_of(c, buf, g), (cudaStream_t)env->streams[g]);
    }
    return rc;
}

/* f<GPUS>(...) for as many GPUs as the case has. */
#define FOR_GPUS(c, f, ...)                    \
    (kernel_gpus(c) == 2   ? f<2>(__VA_ARGS__) \
     : kernel_gpus(c) == 3 ? f<3>(__VA_ARGS__) \
                           : f<4>(__VA_ARGS__))

#endif

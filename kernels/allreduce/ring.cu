/*
 * allreduce/ring - sums go round, each GPU sends to the next one only.
 *
 * sum = x of GPU 0 + x of GPU 1 + ..., on every GPU.
 *
 * allreduce/two reads from all GPUs and writes to all. Where GPUs have links to
 * two neighbours only, as the nodes of a cluster do, all is sent on: a vector
 * has as many chunks as there are GPUs. In gpus - 1 steps a chunk goes round
 * and gathers a term at each, in as many steps its sum goes round again. As
 * many bytes leave each GPU as in allreduce/two.
 *
 * A block has its own slice of the vector, its own ring, and sends a flag after
 * each chunk. What goes round is bf16, so it is rounded gpus - 1 times. A sum
 * is complete at one GPU and copied from there, so all have the same bits.
 *
 * No place is needed twice in a call, and nobody can be a call ahead: to end
 * one, a GPU needs a term of each other GPU for every chunk.
 *
 * Predicts: 2 (gpus - 1) messages after each other: behind allreduce/two
 * between four GPUs, with 0.75 to 0.98 of its bandwidth for 64 MiB.
 */
#include "kernels/allreduce/peers.cuh"

enum { MOST_BLOCKS = 64 };

/* A chunk of the block's slice: vectors, and perhaps the last few numbers. */
struct chunk {
    unsigned begin, end;
    bool rest;
};

template <int GPUS> PTX_FN chunk chunk_of(const peers &p, int c)
{
    const size_t all = p.n / VECTOR, parts = (size_t)gridDim.x * GPUS;
    const size_t part = (size_t)blockIdx.x * GPUS + c;

    return {(unsigned)(all * part / parts),
            (unsigned)(all * (part + 1) / parts), part == parts - 1};
}

/* The sum of two vectors; or the first one. */
PTX_FN uint4 add_two(const uint16_t *a, const uint16_t *b, unsigned i)
{
    const uint4 v[2] = {((const uint4 *)a)[i],
                        b ? ((const uint4 *)b)[i] : make_uint4(0, 0, 0, 0)};

    return b ? add_all<2>(v) : v[0];
}

/* Puts a + b to one or two places; without b it copies. */
PTX_FN void pass(const peers &p, const chunk &c, const uint16_t *a,
                 const uint16_t *b, uint16_t *to, uint16_t *also)
{
    const size_t last = p.n / VECTOR * VECTOR + threadIdx.x;

    for (unsigned i = c.begin + threadIdx.x; i < c.end; i += THREADS) {
        const uint4 v = add_two(a, b, i);

        ((uint4 *)to)[i] = v;
        if (also)
            ((uint4 *)also)[i] = v;
    }
    if (c.rest && last < p.n) {
        const uint16_t v =
            b ? bf16_round(bf16_value(a[last]) + bf16_value(b[last])) : a[last];

        to[last] = v;
        if (also)
            also[last] = v;
    }
}

PTX_FN void tell(uint32_t *flag, uint32_t ticket)
{
    __syncthreads();
    if (threadIdx.x == 0)
        ptx_flag_send(flag, ticket);
}

PTX_FN void hear(const uint32_t *flag, uint32_t ticket)
{
    if (threadIdx.x == 0)
        wait_for(flag, ticket);
    __syncthreads();
}

// ANCHOR: inner
template <int GPUS>
static __global__ void __launch_bounds__(THREADS, 1)
    ring(const __grid_constant__ peers p)
{
    const int next = (p.rank + 1) % GPUS;
    box *const mine = box_of(p, p.rank);
    uint32_t *const there = box_of(p, next)->flag, *const here = mine->flag;
    const uint32_t ticket = mine->ticket;
    const uint16_t *const x = p.x[p.rank];
    uint16_t *const in =
        (uint16_t *)(p.scratch[p.rank] + MOST_BOXES * sizeof(box));
    uint16_t *const out =
        (uint16_t *)(p.scratch[next] + MOST_BOXES * sizeof(box));

    for (int s = 0; s < GPUS - 1; s++) { /* a term is added */
        if (s > 0)
            hear(here, ticket + s);
        pass(p, chunk_of<GPUS>(p, (p.rank + GPUS - s) % GPUS), x,
             s > 0 ? in : nullptr, out, nullptr);
        tell(there, ticket + s + 1);
    }
    hear(here, ticket + GPUS - 1); /* the last term: a sum is complete */
    pass(p, chunk_of<GPUS>(p, next), x, in, p.sum[p.rank], p.sum[next]);
    tell(there, ticket + GPUS);
    for (int s = 0; s < GPUS - 2; s++) { /* sums go on */
        hear(here, ticket + GPUS + s);
        pass(p, chunk_of<GPUS>(p, (p.rank + GPUS - s) % GPUS), p.sum[p.rank],
             nullptr, p.sum[next], nullptr);
        tell(there, ticket + GPUS + s + 1);
    }
    hear(here, ticket + 2 * GPUS - 2);
    if (threadIdx.x == 0)
        mine->ticket = ticket + 2 * GPUS - 2;
}
// ANCHOR_END: inner

template <int GPUS>
static int start(const peers &p, unsigned blocks, cudaStream_t stream)
{
    ring<GPUS><<<blocks, THREADS, 0, stream>>>(p);
    return cudaGetLastError();
}

extern "C" size_t allreduce_ring_scratch(const struct kernel_case *c,
                                         const struct kernel_env *)
{
    return MOST_BOXES * sizeof(box) + 2 * allreduce_count(c);
}

extern "C" int allreduce_ring(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *)
{
    const size_t share = allreduce_count(c) / VECTOR / kernel_gpus(c);
    const unsigned blocks = blocks_for(env, share, THREADS, MOST_BLOCKS);

    return on_all(c, env, buf, [&](const peers &p, cudaStream_t stream) {
        return FOR_GPUS(c, start, p, blocks, stream);
    });
}

/*
 * allreduce/engine - the copy engine brings all vectors, then a kernel adds.
 *
 * sum = x of GPU 0 + x of GPU 1 + ..., on every GPU.
 *
 * The way without any load from another GPU: each GPU has the vectors of the
 * others copied into memory of its own by the DMA engine, and adds them up
 * there. Two kernels of one block see to it that the GPUs meet: before the
 * copies, since the others' vectors must be there, and at the end, since they
 * must stay until they are copied.
 *
 * Each vector crosses NVLink whole, so a GPU gets (gpus - 1) of them, where
 * 2 (gpus - 1) / gpus would do. The copies are written to memory and read
 * again.
 *
 * Predicts: a copy in a graph is a slow operation, and three kernels and a copy
 * wait for each other: 10 to 20 us for 8 KiB between two GPUs, two or three
 * times what one kernel needs.
 */
#include "kernels/allreduce/peers.cuh"

enum { MOST_BLOCKS = 132, ALIGN = 256 };

static size_t slot_bytes(const struct kernel_case *c)
{
    return (2 * allreduce_count(c) + ALIGN - 1) / ALIGN * ALIGN;
}

// ANCHOR: inner
template <int GPUS>
static __global__ void meet_once(const __grid_constant__ peers p)
{
    box *const mine = box_of(p, p.rank);
    const uint32_t ticket = mine->ticket + 1;

    meet<GPUS>(p, ticket);
    if (threadIdx.x == 0)
        mine->ticket = ticket;
}

/* All vectors lie here by now. */
template <int GPUS>
static __global__ void __launch_bounds__(THREADS, 1)
    add(const __grid_constant__ peers p)
{
    add_here<GPUS>(p);
}
// ANCHOR_END: inner

template <int GPUS>
static int start(peers p, size_t slot, unsigned blocks, cudaStream_t stream)
{
    peers here = p;
    int rc;

    meet_once<GPUS><<<1, WARP, 0, stream>>>(p);
    rc = cudaGetLastError();
    for (int h = 0; h < GPUS && !rc; h++) {
        char *const to =
            p.scratch[p.rank] + MOST_BOXES * sizeof(box) + h * slot;

        if (h == p.rank)
            continue;
        rc = cudaMemcpyPeerAsync(to, p.rank, p.x[h], h, 2 * p.n, stream);
        here.x[h] = (const uint16_t *)to;
    }
    if (rc)
        return rc;
    add<GPUS><<<blocks, THREADS, 0, stream>>>(here);
    meet_once<GPUS><<<1, WARP, 0, stream>>>(p);
    return cudaGetLastError();
}

extern "C" size_t allreduce_engine_scratch(const struct kernel_case *c,
                                           const struct kernel_env *)
{
    return MOST_BOXES * sizeof(box) + kernel_gpus(c) * slot_bytes(c);
}

extern "C" int allreduce_engine(const struct kernel_case *c,
                                const struct kernel_env *env, void *const *buf,
                                void *)
{
    const unsigned blocks =
        blocks_for(env, allreduce_count(c) / VECTOR, THREADS, MOST_BLOCKS);

    return on_all(c, env, buf, [&](const peers &p, cudaStream_t stream) {
        return FOR_GPUS(c, start, p, slot_bytes(c), blocks, stream);
    });
}

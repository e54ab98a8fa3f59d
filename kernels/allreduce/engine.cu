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

/* Where the vector of GPU h lies, for this GPU. */
static uint16_t *place_of(const peers &p, size_t slot, int h)
{
    char *const slots = p.scratch[p.rank] + MOST_BOXES * sizeof(box);

    return h == p.rank ? (uint16_t *)p.x[h] : (uint16_t *)(slots + h * slot);
}

template <int GPUS> static int begin(const peers &p, cudaStream_t stream)
{
    meet_once<GPUS><<<1, WARP, 0, stream>>>(p);
    return cudaGetLastError();
}

template <int GPUS>
static int copy(const peers &p, size_t slot, cudaStream_t stream)
{
    int rc = 0;

    for (int h = 0; h < GPUS && !rc; h++)
        if (h != p.rank)
            rc = cudaMemcpyPeerAsync(place_of(p, slot, h), p.rank, p.x[h], h,
                                     2 * p.n, stream);
    return rc;
}

template <int GPUS>
static int end(const peers &p, size_t slot, unsigned blocks,
               cudaStream_t stream)
{
    peers here = p;

    for (int h = 0; h < GPUS; h++)
        here.x[h] = place_of(p, slot, h);
    add<GPUS><<<blocks, THREADS, 0, stream>>>(here);
    meet_once<GPUS><<<1, WARP, 0, stream>>>(p);
    return cudaGetLastError();
}

/* Loads the kernels of all GPUs: a GPU that waits for another must not keep
 * that one from its kernels. */
template <int GPUS> static int load(const struct kernel_env *env)
{
    cudaFuncAttributes found;
    int rc = 0;

    for (int g = 0; g < env->gpus && !rc; g++) {
        rc = cudaSetDevice(g);
        if (!rc)
            rc = cudaFuncGetAttributes(&found, meet_once<GPUS>);
        if (!rc)
            rc = cudaFuncGetAttributes(&found, add<GPUS>);
    }
    return rc;
}

extern "C" const char *allreduce_engine_prepare(const struct kernel_case *c,
                                                const struct kernel_env *env,
                                                void *const *, void **)
{
    return FOR_GPUS(c, load, env) ? "its kernels cannot be loaded" : NULL;
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

    const size_t slot = slot_bytes(c);
    int rc;

    /* In turns, so that no GPU waits for what has not been enqueued yet. */
    rc = on_all(c, env, buf, [&](const peers &p, cudaStream_t stream) {
        return FOR_GPUS(c, begin, p, stream);
    });
    if (!rc)
        rc = on_all(c, env, buf, [&](const peers &p, cudaStream_t stream) {
            return FOR_GPUS(c, copy, p, slot, stream);
        });
    if (!rc)
        rc = on_all(c, env, buf, [&](const peers &p, cudaStream_t stream) {
            return FOR_GPUS(c, end, p, slot, blocks, stream);
        });
    return rc;
}

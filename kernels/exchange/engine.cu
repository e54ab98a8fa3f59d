/*
 * exchange/engine - the copy engine moves blocks of rows.
 *
 * dispatch: got[at] = rows of the tokens that have an expert at GPU `at`.
 * combine:  out = sum over GPUs of weight y, in their order.
 *
 * The DMA engine copies what lies side by side. So a kernel first puts the rows
 * for each GPU into a block, and after a meeting the engine copies each block
 * to its place. On the way back rows lie side by side already: the engine
 * copies them, and a kernel adds them up.
 *
 * Sizes and places of copies must be known when they are enqueued. Here the
 * host knows them, because the routing belongs to the case. A program would
 * have to wait for the GPU, which costs tens of microseconds, or copy blocks
 * for all t tokens and put rows together at the receiver.
 *
 * Predicts: for 4096 tokens the rows pass memory once more, at ten times
 * NVLink's bandwidth: 0.7 to 0.9 of what a copy of the same bytes reaches. For
 * 8 tokens kernels and copies wait for each other: 12 to 30 us.
 */
#include "kernels/exchange/pack.cuh"

// ANCHOR: inner
static __global__ void meet_once(const __grid_constant__ sides p)
{
    box *const mine = box_of(p, p.rank);
    const uint32_t ticket = mine->ticket + 1;

    meet(p, ticket);
    if (threadIdx.x == 0)
        mine->ticket = ticket;
}
// ANCHOR_END: inner

static int start_pack(const struct kernel_case *c, const sides &p,
                      unsigned blocks, cudaStream_t stream)
{
    const int begin = exchange_begin(exchange_of(c), p.rank, p.rank);

    pack<<<blocks, THREADS, 0, stream>>>(p, begin);
    return cudaGetLastError();
}

static int start_unpack(const sides &p, unsigned blocks, cudaStream_t stream)
{
    unpack<<<blocks, THREADS, 0, stream>>>(p);
    return cudaGetLastError();
}

static int start_meeting(const sides &p, cudaStream_t stream)
{
    meet_once<<<1, WARP, 0, stream>>>(p);
    return cudaGetLastError();
}

/* The copies of a GPU: the next one's block first, so that at no time all send
 * to the same. */
static int copy(const struct kernel_case *c, void *const *buf, int from,
                cudaStream_t stream)
{
    const int gpus = kernel_gpus(c);
    int rc = 0;

    for (int i = 1; i < gpus && !rc; i++) {
        const int at = (from + i) % gpus;
        const transfer t = transfer_of(c, buf, from, at);

        if (t.bytes > 0)
            rc = cudaMemcpyPeerAsync(t.to, at, t.from, from, t.bytes, stream);
    }
    return rc;
}

/* Loads the kernels of all GPUs: a GPU that waits for another must not keep
 * that one from its kernels. */
extern "C" const char *exchange_engine_prepare(const struct kernel_case *,
                                               const struct kernel_env *env,
                                               void *const *, void **)
{
    cudaFuncAttributes found;
    int rc = 0;

    for (int g = 0; g < env->gpus && !rc; g++) {
        rc = cudaSetDevice(g);
        if (!rc)
            rc = cudaFuncGetAttributes(&found, meet_once);
        if (!rc)
            rc = cudaFuncGetAttributes(&found, pack);
        if (!rc)
            rc = cudaFuncGetAttributes(&found, unpack);
    }
    return rc ? "its kernels cannot be loaded" : NULL;
}

extern "C" size_t exchange_engine_scratch(const struct kernel_case *c,
                                          const struct kernel_env *)
{
    return pack_scratch(c);
}

extern "C" int exchange_engine(const struct kernel_case *c,
                               const struct kernel_env *env, void *const *buf,
                               void *)
{
    const unsigned blocks = blocks_of(c, env, PACK_BLOCKS);
    const bool out = exchange_is_dispatch(c);
    int rc;

    /* In turns, so that no GPU waits for what has not been enqueued yet. */
    rc = on_all(c, env, buf, [&](const sides &p, cudaStream_t stream) {
        const int packed = out ? start_pack(c, p, blocks, stream) : 0;

        return packed ? packed : start_meeting(p, stream);
    });
    if (!rc)
        rc = on_all(c, env, buf, [&](const sides &p, cudaStream_t stream) {
            return copy(c, buf, p.rank, stream);
        });
    if (!rc)
        rc = on_all(c, env, buf, [&](const sides &p, cudaStream_t stream) {
            const int met = start_meeting(p, stream);

            return met || out ? met : start_unpack(p, blocks, stream);
        });
    return rc;
}

/*
 * scan/lookback - decoupled look-back (Merrill and Garland, Single-pass
 * Parallel Prefix Scan with Decoupled Look-back, NVIDIA NVR-2016-002, 2016).
 *
 * In `chained` a block publishes nothing until it knows its prefix. But it
 * knows the sum of its own tile as soon as the tile is loaded, so here it
 * publishes that at once. A block that needs its prefix walks back from tile to
 * tile and adds up the sums that it finds. It stops at the first word that goes
 * back to the beginning. Then it replaces its own word by its prefix, so that
 * the walks of later tiles can stop there.
 *
 * Blocks no longer wait for a chain, only for tiles to be loaded, and all tiles
 * load at about the same time. What remains is the walk: one thread, one word
 * at a time, a trip to the L2 for each.
 *
 * Predicted before any run: 75-85 % (data/predictions/scan-lookback.md).
 */
#include "kernels/scan/chain.cuh"

/* The sum of all tiles before `tile`, by one thread. */
// ANCHOR: inner
static __device__ float look_back(const struct chain *c, unsigned tile,
                                  unsigned tag)
{
    scan_word<float> w = {};
    float before = 0;

    while (tile > 0 && w.tag != (tag | CHAIN_PREFIX)) {
        w = chain_wait(&c->word[--tile], tag);
        before = w.sum + before;
    }
    return before;
}
// ANCHOR_END: inner

static __global__ void scan_decoupled(float *y, const float *x, size_t n,
                                      struct chain *c)
{
    __shared__ float shared_before;
    const struct chain_turn turn = chain_draw(c);
    chain_share s;

    chain_load(s, x, n, turn.tile);
    if (threadIdx.x == 0) {
        if (turn.tile > 0)
            scan_put(&c->word[turn.tile], turn.tag, s.all);
        const float before = look_back(c, turn.tile, turn.tag);

        scan_put(&c->word[turn.tile], turn.tag | CHAIN_PREFIX, before + s.all);
        shared_before = before;
    }
    __syncthreads();
    chain_store(y, s, shared_before);
}

extern "C" size_t scan_lookback_scratch(const struct kernel_case *c,
                                        const struct kernel_env *)
{
    return chain_scratch(c);
}

extern "C" int scan_lookback(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    scan_decoupled<<<chain_blocks(c), CHAIN_THREADS, 0,
                     (cudaStream_t)env->stream>>>(
        (float *)buf[0], (const float *)buf[1], scan_length(c),
        (struct chain *)buf[2]);
    return cudaGetLastError();
}

/*
 * scan/warp - look-back by a whole warp.
 *
 * The walk of `lookback` reads one word, decides, reads the next. A warp reads
 * 32 words in one trip: lane 0 the tile before, lane 31 the one 32 before. A
 * vote tells which of them go back to the beginning. The warp adds up the
 * nearest of those and all that lie nearer; if there is none, it goes on 32
 * tiles further back. CUB's scan works this way, too.
 *
 * Predicted before any run: at least 1.2 times `lookback`. Hundreds of tiles
 * are in flight at any moment, so the walk is dozens of words long.
 */
#include "kernels/scan/chain.cuh"
#include "kernels/sum.cuh"

/* The sum of all tiles before `tile`, by the lanes of a warp, in each. */
// ANCHOR: inner
static __device__ float look_back(const struct chain *c, unsigned tile,
                                  unsigned tag)
{
    const unsigned lane = threadIdx.x % WARP;
    float before = 0;

    for (;; tile -= WARP) {
        scan_word<float> w = {0, tag | CHAIN_PREFIX}; /* before the first */

        if (lane < tile)
            w = chain_wait(&c->word[tile - 1 - lane], tag);
        const unsigned ends =
            __ballot_sync(0xffffffff, w.tag == (tag | CHAIN_PREFIX));
        const unsigned last = __ffs(ends) - 1; /* none: the largest number */

        before += sum_warp(lane <= last ? w.sum : 0.0f);
        if (ends)
            return before;
    }
}
// ANCHOR_END: inner

static __global__ void scan_warp_back(float *y, const float *x, size_t n,
                                      struct chain *c)
{
    __shared__ float shared_before;
    const struct chain_turn turn = chain_draw(c);
    chain_share s;

    chain_load(s, x, n, turn.tile);
    if (threadIdx.x < WARP) {
        if (threadIdx.x == 0 && turn.tile > 0)
            scan_put(&c->word[turn.tile], turn.tag, s.all);
        const float before = look_back(c, turn.tile, turn.tag);

        if (threadIdx.x == 0) {
            scan_put(&c->word[turn.tile], turn.tag | CHAIN_PREFIX,
                     before + s.all);
            shared_before = before;
        }
    }
    __syncthreads();
    chain_store(y, s, shared_before);
}

extern "C" size_t scan_warp_scratch(const struct kernel_case *c,
                                    const struct kernel_env *)
{
    return chain_scratch(c);
}

extern "C" int scan_warp_launch(const struct kernel_case *c,
                                const struct kernel_env *env, void *const *buf,
                                void *)
{
    scan_warp_back<<<chain_blocks(c), CHAIN_THREADS, 0,
                     (cudaStream_t)env->stream>>>(
        (float *)buf[0], (const float *)buf[1], scan_length(c),
        (struct chain *)buf[2]);
    return cudaGetLastError();
}

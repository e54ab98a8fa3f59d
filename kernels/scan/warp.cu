/*
 * Look-back by a whole warp.
 *
 * The walk of `lookback` reads one word, decides, reads the next. A warp
 * reads 32 words in one trip: lane 0 the tile before, lane 31 the one 32
 * before. A vote tells which of them go back to the beginning; the nearest of
 * those and all that lie nearer are added up, and if there is none, the warp
 * goes on 32 tiles further back. CUB's scan does it this way, too.
 *
 * Predicted before any run: at least 1.2 times `lookback`. Hundreds of tiles
 * are under way at any moment, so the walk is dozens of words long.
 */
#include "kernels/scan/chain.cuh"
#include "kernels/sum.cuh"

/* The sum of all tiles before `tile`, by the lanes of a warp, in each. */
// ANCHOR: inner
static __device__ float look_back(const struct chain *c, unsigned tile,
                                  unsigned tag)
{
    const unsigned lane = threadIdx.x % SCAN_WARP;
    float before = 0;

    for (;; tile -= SCAN_WARP) {
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
    const size_t begin =
        turn.tile * (size_t)CHAIN_TILE + threadIdx.x / SCAN_WARP * CHAIN_SPAN;
    const size_t left = scan_left(n, begin);
    scan_vector<float> v[CHAIN_ROWS];
    float all;

    scan_load(v, x + begin, left);
    const float sum = scan_rows(v);
    const float warps = scan_warps<float, CHAIN_WARPS>(sum, &all);

    if (threadIdx.x < SCAN_WARP) {
        if (threadIdx.x == 0 && turn.tile > 0)
            scan_put(&c->word[turn.tile], turn.tag, all);
        const float before = look_back(c, turn.tile, turn.tag);

        if (threadIdx.x == 0) {
            scan_put(&c->word[turn.tile], turn.tag | CHAIN_PREFIX,
                     before + all);
            shared_before = before;
        }
    }
    __syncthreads();
    scan_add(v, shared_before + warps);
    scan_store(y + begin, v, left);
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

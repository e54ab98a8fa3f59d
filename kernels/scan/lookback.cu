/*
 * Decoupled look-back (Merrill and Garland, Single-pass Parallel Prefix Scan
 * with Decoupled Look-back, NVIDIA NVR-2016-002, 2016).
 *
 * In `chained` a block says nothing until it has heard everything. But it
 * knows the sum of its own tile as soon as that is loaded. So it tells that
 * at once; and who waits need not wait for the neighbour to have heard: it
 * walks back from tile to tile, adds up the sums it finds, and stops at the
 * first that goes back to the beginning. Then it replaces its own word by
 * such a one, for those behind it to stop at.
 *
 * Nobody waits for a chain any more, only for tiles to be loaded, which all
 * are at about the same time. What remains is the walk: one thread, one word
 * at a time, a trip to L2 for each.
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
    const size_t begin =
        turn.tile * (size_t)CHAIN_TILE + threadIdx.x / SCAN_WARP * CHAIN_SPAN;
    const size_t left = scan_left(n, begin);
    scan_vector<float> v[CHAIN_ROWS];
    float all;

    scan_load(v, x + begin, left);
    const float sum = scan_rows(v);
    const float warps = scan_warps<float, CHAIN_WARPS>(sum, &all);

    if (threadIdx.x == 0) {
        if (turn.tile > 0)
            scan_put(&c->word[turn.tile], turn.tag, all);
        const float before = look_back(c, turn.tile, turn.tag);

        scan_put(&c->word[turn.tile], turn.tag | CHAIN_PREFIX, before + all);
        shared_before = before;
    }
    __syncthreads();
    scan_add(v, shared_before + warps);
    scan_store(y + begin, v, left);
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

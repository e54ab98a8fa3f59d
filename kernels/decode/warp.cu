/*
 * decode/warp - a warp for each key, and scores that never leave the SM.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * In decode/naive three kernels pass all scores through memory, and a warp
 * reads 32 keys at once. Here a warp reads one key: 32 lanes, 8 bytes each, one
 * row of 256 bytes. The lanes add up their products with five shuffles.
 *
 * A warp keeps the greatest score so far, the sum of weights relative to it,
 * and the sum of weighted values. If the maximum grows, old sums are multiplied
 * by a power (Milakov and Gimelshein, arXiv 1805.02867). At the end the sums of
 * the block's eight warps are joined in the same way.
 *
 * A block has one head. The four heads that share keys read them four times.
 * And a warp has one key under way, so that it mostly waits.
 *
 * Predicts: latency is the limit. 3 to 5 times decode/naive with eight
 * sequences of 8192 keys.
 */
#include "kernels/decode/scalar.cuh"

static __global__ void __launch_bounds__(THREADS) warp(struct attention a)
{
    __shared__ lane_parts<1> sums;
    const int W = DEEP / WARP, warp = threadIdx.x / WARP;
    const int mine = threadIdx.x % WARP;
    const int head = blockIdx.x % a.heads;
    const struct row r = {(int)blockIdx.x / a.heads, head / (a.heads / a.kv),
                          head, 1};
    const size_t first = keys_of(a, r) + mine * W;
    const int keys = a.where[r.sequence];
    held<1, W> x;

    begin(x, a, r, mine);
    // ANCHOR: inner
    for (int j = warp; j < keys; j += WARPS) {
        const piece<W> k[1] = {read<W>(a.k + first + (size_t)j * DEEP)};
        const piece<W> v[1] = {read<W>(a.v + first + (size_t)j * DEEP)};

        take(x, a.scale, k, v, 1);
    }
    // ANCHOR_END: inner
    show(sums, x);
    if (warp == 0) {
        struct weight all;
        const float4 o = join(
            sums, 0, WARPS, [](int i) { return i; }, all);

        put(a, query_of(a, r, 0), o, all);
    }
}

extern "C" int decode_warp(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *)
{
    const struct attention a = attention_of(c, buf);

    warp<<<a.b * a.heads, THREADS, 0, (cudaStream_t)env->stream>>>(a);
    return cudaGetLastError();
}

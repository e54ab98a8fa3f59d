/*
 * decode/packed - heads that share keys read them together.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * In decode/warp a block has one head, and the four heads of a group read the
 * same keys four times. Here a block has all heads of a group, eight at most:
 * what a warp reads of a key is multiplied by as many queries. A key and its
 * value are read once.
 *
 * There are fewer blocks now, one for each head of keys: 64 with eight
 * sequences of Llama-3.1-8B, which is less than half of the SMs. And a warp
 * still has one key under way.
 *
 * Predicts: latency is the limit. As fast as decode/warp within a fifth with
 * eight sequences of 8192 keys: a quarter of the bytes, and half of the SMs.
 */
#include "kernels/decode/scalar.cuh"

template <int G>
static __global__ void __launch_bounds__(THREADS) packed(struct attention a)
{
    extern __shared__ __align__(16) char raw[];
    lane_parts<G> &sums = *(lane_parts<G> *)raw;
    const int W = DEEP / WARP, warp = threadIdx.x / WARP;
    const int mine = threadIdx.x % WARP;
    const struct row r = row_of(a, blockIdx.x, MOST);
    const size_t first = keys_of(a, r) + mine * W;
    const int keys = a.where[r.sequence];
    held<G, W> x;

    begin(x, a, r, mine);
    // ANCHOR: inner
    for (int j = warp; j < keys; j += WARPS) {
        const piece<W> k[1] = {read<W>(a.k + first + (size_t)j * DEEP)};
        const piece<W> v[1] = {read<W>(a.v + first + (size_t)j * DEEP)};

        take(x, a.scale, k, v, 1);
    }
    // ANCHOR_END: inner
    show(sums, x);
    for (int h = warp; h < r.heads; h += WARPS) {
        struct weight all;
        const float4 o = join(
            sums, h, WARPS, [](int i) { return i; }, all);

        put(a, query_of(a, r, h), o, all);
    }
}

template <int G> static int start(const attention &a, cudaStream_t to)
{
    packed<G><<<a.b * a.kv * blocks_of_group(a, MOST), THREADS,
                sizeof(lane_parts<G>), to>>>(a);
    return cudaGetLastError();
}

extern "C" int decode_packed(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const struct attention a = attention_of(c, buf);

    return ONE_FOUR_EIGHT(a, start, a, (cudaStream_t)env->stream);
}

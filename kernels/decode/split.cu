/*
 * decode/split - a row is cut into pieces, so that all SMs have one.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * decode/vector has a block for each head of keys, which goes through all keys
 * alone. Here it has a piece of 512 keys. It leaves what a warp leaves at its
 * end: the greatest score, the sum of weights, the sum of weighted values, all
 * in f32. A second kernel joins the pieces of a row as warps are joined
 * (Flash-Decoding, Dao and others, 2023).
 *
 * The pieces cost 520 bytes for each head and are written and read once: a
 * hundredth of the keys and values. The second kernel costs a launch.
 *
 * Predicts: the CUDA cores are the limit now, since each element of a key is
 * unpacked and multiplied by four queries. 1.6 to 2.6 times decode/vector with
 * eight sequences of 8192 keys.
 */

#include "kernels/decode/joiner.cuh"
#include "kernels/decode/lanes.cuh"

template <int G>
static __global__ void __launch_bounds__(THREADS)
    split(struct attention a, void *scratch)
{
    extern __shared__ __align__(16) char raw[];
    lane_parts<G> &sums = *(lane_parts<G> *)raw;
    const int warp = threadIdx.x / WARP, most = splits_of(a.l);
    const struct row r = row_of(a, blockIdx.y, MOST);
    const int begin = blockIdx.x * SPAN;
    const int end = min(begin + SPAN, a.where[r.sequence]);

    // ANCHOR: inner
    if (begin >= end)
        return;
    attend(sums, a, r, begin, end);
    for (int h = warp; h < r.heads; h += WARPS) {
        struct weight all;
        const float4 o = join(
            sums, h, WARPS, [](int i) { return i; }, all);

        leave(places(a, scratch), query_of(a, r, h) * most + blockIdx.x, 0, o,
              all);
    }
    // ANCHOR_END: inner
}

template <int G>
static int start(const attention &a, void *scratch, cudaStream_t to)
{
    const dim3 grid(splits_of(a.l), a.b * a.kv * blocks_of_group(a, MOST));

    split<G><<<grid, THREADS, sizeof(lane_parts<G>), to>>>(a, scratch);
    join_splits<<<joiners_of(a), JOINERS * WARP, 0, to>>>(a, scratch);
    return cudaGetLastError();
}

extern "C" size_t decode_split_scratch(const struct kernel_case *c,
                                       const struct kernel_env *)
{
    return places_bytes(c);
}

extern "C" int decode_split(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *)
{
    const struct attention a = attention_of(c, buf);

    return ONE_FOUR_EIGHT(a, start, a, buf[DECODE_SCRATCH],
                          (cudaStream_t)env->stream);
}

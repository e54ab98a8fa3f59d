/*
 * decode/vector - 16 bytes a lane, and eight keys of a warp under way.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * A warp of decode/packed asks for one key and one value, and waits. Here 16
 * lanes share a key, with 16 bytes each, and a lane asks for four keys and four
 * values before it multiplies any of them: a warp has 4 KB under way in place
 * of 512 bytes. Two halves of a warp have different keys, so four shuffles add
 * up two scores. Old sums are scaled once for four keys.
 *
 * Eight warps have 32 KB under way, about what an SM needs. But there are no
 * more blocks than before.
 *
 * Predicts: latency is the limit, in that half of the SMs have nothing to do. 2
 * to 4 times decode/packed with eight sequences of 8192 keys.
 */
#include "kernels/decode/lanes.cuh"

template <int G>
static __global__ void __launch_bounds__(THREADS) vector(struct attention a)
{
    extern __shared__ __align__(16) char raw[];
    lane_parts<G> &sums = *(lane_parts<G> *)raw;
    const int warp = threadIdx.x / WARP;
    const struct row r = row_of(a, blockIdx.x, MOST);

    attend(sums, a, r, 0, a.where[r.sequence]);
    for (int h = warp; h < r.heads; h += WARPS) {
        struct weight all;
        const float4 o = join(
            sums, h, WARPS, [](int i) { return i; }, all);

        put(a, query_of(a, r, h), o, all);
    }
}

template <int G> static int start(const attention &a, cudaStream_t to)
{
    vector<G><<<a.b * a.kv * blocks_of_group(a, MOST), THREADS,
                sizeof(lane_parts<G>), to>>>(a);
    return cudaGetLastError();
}

extern "C" int decode_vector(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const struct attention a = attention_of(c, buf);

    return ONE_FOUR_EIGHT(a, start, a, (cudaStream_t)env->stream);
}

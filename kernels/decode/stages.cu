/*
 * decode/stages - each warp copies its keys ahead.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * decode/mma loads, waits, multiplies, waits. cp.async copies 16 bytes from
 * global to shared memory and lets the lane go on. So a warp has three slots of
 * 16 keys and values: while it multiplies one, two are on their way, 16 KB. The
 * warps share nothing before the end, so there is no barrier of the block in
 * the loop.
 *
 * Two blocks fit an SM. Their eight warps have 128 KB under way, more than
 * memory needs (28 to 48 KB).
 *
 * Predicts: memory is the limit from here on. 3.4 to 4.0 TB/s with 32 sequences
 * of 8192 keys.
 */
#include "kernels/decode/joiner.cuh"
#include "kernels/decode/stages.cuh"

template <int ROWS>
static __global__ void __launch_bounds__(THREADS, 2)
    stages(struct attention a, void *scratch)
{
    extern __shared__ __align__(128) char raw[];
    const struct row r = row_of(a, blockIdx.y, ROWS);
    const int first = blockIdx.x * SPAN, most = splits_of(a.l);
    const int end = min(first + SPAN, a.where[r.sequence]);

    if (first >= end)
        return;
    warp_parts<ROWS> &sums = attend<ROWS>(raw, a, r, first, end);

    for (int h = threadIdx.x / WARP; h < r.heads; h += WARPS) {
        struct weight all;
        const float4 o = join_warps(sums, h, all);

        leave(places(a, scratch), query_of(a, r, h) * most + blockIdx.x, 0, o,
              all);
    }
}

template <int ROWS>
static int start(const attention &a, void *scratch, cudaStream_t to)
{
    const dim3 grid(splits_of(a.l), a.b * a.kv * blocks_of_group(a, ROWS));
    const int error = with_room(stages<ROWS>, SHARED);

    if (error)
        return error;
    stages<ROWS><<<grid, THREADS, SHARED, to>>>(a, scratch);
    join_splits<<<joiners_of(a), JOINERS * WARP, 0, to>>>(a, scratch);
    return cudaGetLastError();
}

extern "C" size_t decode_stages_scratch(const struct kernel_case *c,
                                        const struct kernel_env *)
{
    return places_bytes(c);
}

extern "C" int decode_stages(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const struct attention a = attention_of(c, buf);

    return few_heads(a)
               ? start<8>(a, buf[DECODE_SCRATCH], (cudaStream_t)env->stream)
               : start<16>(a, buf[DECODE_SCRATCH], (cudaStream_t)env->stream);
}

/*
 * quantize/packed - stores of 16 bytes.
 *
 * Sixteen bytes of bf16 make eight bytes of result, so a thread of `row` stores
 * half a vector. Here neighbours trade. Of two vectors each, the even lane
 * takes the first of both and the odd lane the second of both, by two shuffles.
 * Then each has sixteen contiguous bytes to store. Loads stay as they were.
 *
 * Predicted before any run: no difference above 2 %. 256 contiguous bytes of a
 * warp are eight whole sectors already; what is saved is instructions.
 */
#include "kernels/quantize/row.cuh"

/* The value of the neighbouring lane. */
static __device__ uint2 from_neighbour(uint2 v)
{
    return make_uint2(__shfl_xor_sync(0xffffffff, v.x, 1),
                      __shfl_xor_sync(0xffffffff, v.y, 1));
}

/*
 * The bytes of this thread's vectors i and i + ROW_THREADS, traded with the
 * neighbour's: i is even or odd as the lane is, and a row has whole pairs.
 */
static __device__ void store_pairs(uint8_t *q, unsigned i, uint2 first,
                                   uint2 second, unsigned vectors)
{
    const bool odd = i % 2;
    const uint2 other = from_neighbour(odd ? first : second);
    const unsigned at = odd ? i - 1 + ROW_THREADS : i;
    const uint4 pair = odd ? make_uint4(other.x, other.y, second.x, second.y)
                           : make_uint4(first.x, first.y, other.x, other.y);

    if (at < vectors)
        ((uint4 *)q)[at / 2] = pair;
}

// ANCHOR: inner
template <pack_format F, int V>
static __global__ void __launch_bounds__(ROW_THREADS)
    packed(uint8_t *q, float *scales, const uint16_t *x, unsigned vectors)
{
    const uint4 *src = (const uint4 *)x + blockIdx.x * (size_t)vectors;
    uint8_t *dst = q + blockIdx.x * (size_t)vectors * PACK_WIDTH;
    uint4 v[V];

    row_load(v, src, vectors);
    const float factor = pack_factor<F>(row_top<F, ROW_THREADS>(v, scales));

    for (int k = 0; k < V; k += 2)
        store_pairs(dst, k * ROW_THREADS + threadIdx.x,
                    pack_eight<F>(v[k], factor),
                    pack_eight<F>(v[k + 1], factor), vectors);
}
// ANCHOR_END: inner

extern "C" int quantize_packed(const struct kernel_case *c,
                               const struct kernel_env *env, void *const *buf,
                               void *)
{
    const struct pack_operands o = pack_operands_of(c, env, buf);
    const unsigned rows = (unsigned)(o.n / o.group);
    const unsigned vectors = (unsigned)(o.group / PACK_WIDTH);

    return pack_dispatch(c, [&](auto f) {
        constexpr pack_format F = decltype(f)::format;

        if (row_is_odd(&o) || vectors % 2 != 0)
            return row_do_any<F>(&o);
        return row_dispatch(&o, [&](auto k) {
            constexpr int V =
                decltype(k)::vectors < 2 ? 2 : decltype(k)::vectors;

            packed<F, V><<<rows, ROW_THREADS, 0, o.stream>>>(o.q, o.scales, o.x,
                                                             vectors);
            return (int)cudaGetLastError();
        });
    });
}

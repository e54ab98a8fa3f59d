/*
 * quantize/group - a scale for each 128 elements, in half a warp.
 *
 * 128 bf16 are sixteen vectors, one for each lane of half a warp. Four shuffles
 * find the largest magnitude, two elements at a time. The half warp waits for
 * no other thread: no shared memory, no barrier. A thread has two vectors of
 * two groups in flight.
 *
 * Predicted before any run: at least what `row` reaches. The scales are a
 * thirty-second more to write, and their bytes are counted.
 */
#include "kernels/quantize/pack.cuh"

enum {
    THREADS = 256,
    VECTORS = 2,
    TILE = THREADS * VECTORS,                 /* vectors of a block */
    LANES = (int)QUANTIZE_GROUP / PACK_WIDTH, /* that share a scale */
};

/* The largest half of `both` among the LANES lanes of a group. */
static __device__ uint32_t largest_of_group(uint32_t both)
{
    for (int lane = LANES / 2; lane > 0; lane /= 2)
        both = __vmaxu2(both, __shfl_xor_sync(0xffffffff, both, lane));
    return pack_half(both);
}

// ANCHOR: inner
template <pack_format F>
static __global__ void group(uint8_t *q, float *scales, const uint16_t *x,
                             unsigned vectors)
{
    const unsigned first = blockIdx.x * TILE + threadIdx.x;
    uint4 v[VECTORS];

    for (int k = 0; k < VECTORS; k++) {
        const unsigned i = first + k * THREADS;

        v[k] = i < vectors ? ((const uint4 *)x)[i] : make_uint4(0, 0, 0, 0);
    }
    for (int k = 0; k < VECTORS; k++) {
        const unsigned i = first + k * THREADS;
        const uint32_t top = largest_of_group(pack_largest(0, v[k]));

        if (i >= vectors)
            continue;
        ((uint2 *)q)[i] = pack_eight<F>(v[k], pack_factor<F>(top));
        if (i % LANES == 0)
            scales[i / LANES] = pack_scale<F>(top);
    }
}
// ANCHOR_END: inner

extern "C" int quantize_group_of_128(const struct kernel_case *c,
                                     const struct kernel_env *env,
                                     void *const *buf, void *)
{
    const struct pack_operands o = pack_operands_of(c, env, buf);
    const unsigned vectors = (unsigned)(o.n / PACK_WIDTH);

    return pack_dispatch(c, [&](auto f) {
        group<decltype(f)::format>
            <<<(vectors + TILE - 1) / TILE, THREADS, 0, o.stream>>>(
                o.q, o.scales, o.x, vectors);
        return (int)cudaGetLastError();
    });
}

/*
 * quantize/wide - two vectors a thread, so that all warps fit.
 *
 * Triton's kernel for rows of 8192 elements was faster than `row` and `packed`.
 * It does the same in the same order, with half as many elements a thread: its
 * 32 registers leave room for all warps that an SM can hold, where ours had
 * three quarters. Blocks wait twice, for their row and at the barrier;
 * meanwhile other blocks must request bytes.
 *
 * So a thread has two vectors of 16 bytes, and a block as many threads as its
 * row needs. The two vectors are neighbours, so that the sixteen bytes that
 * become of them are one store without a trade; each load takes every other
 * vector, and the second finds in L1 what the first has fetched.
 *
 * Predicted before any run: no slower than Triton.
 */
#include "kernels/quantize/row.cuh"

enum {
    WIDE_VECTORS = 2,
    WIDE_SMALLEST = 64,  /* threads of a block */
    WIDE_LARGEST = 1024, /* rows of 16384 elements */
    WIDE_PER_SM = 2048,  /* threads: leaves 32 registers for each */
};

// ANCHOR: inner
template <pack_format F, int THREADS>
static __global__ void __launch_bounds__(THREADS, WIDE_PER_SM / THREADS)
    wide(uint8_t *q, float *scales, const uint16_t *x, unsigned vectors)
{
    const uint4 *src = (const uint4 *)x + blockIdx.x * (size_t)vectors;
    uint8_t *dst = q + blockIdx.x * (size_t)vectors * PACK_WIDTH;
    const unsigned i = threadIdx.x * WIDE_VECTORS;
    uint4 v[WIDE_VECTORS];

    for (int k = 0; k < WIDE_VECTORS; k++)
        v[k] = i < vectors ? src[i + k] : make_uint4(0, 0, 0, 0);
    const float factor = pack_factor<F>(row_top<F, THREADS>(v, scales));
    const uint2 a = pack_eight<F>(v[0], factor),
                b = pack_eight<F>(v[1], factor);

    if (i < vectors)
        ((uint4 *)dst)[threadIdx.x] = make_uint4(a.x, a.y, b.x, b.y);
}
// ANCHOR_END: inner

/* With the fewest threads that can hold a row. */
template <pack_format F, int THREADS = WIDE_SMALLEST>
static int wide_launch(const struct pack_operands &o, unsigned vectors)
{
    if constexpr (THREADS < WIDE_LARGEST)
        if (vectors > THREADS * WIDE_VECTORS)
            return wide_launch<F, 2 * THREADS>(o, vectors);
    wide<F, THREADS><<<(unsigned)(o.n / o.group), THREADS, 0, o.stream>>>(
        o.q, o.scales, o.x, vectors);
    return cudaGetLastError();
}

extern "C" int quantize_wide(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const struct pack_operands o = pack_operands_of(c, env, buf);
    const unsigned vectors = (unsigned)(o.group / PACK_WIDTH);

    return pack_dispatch(c, [&](auto f) {
        constexpr pack_format F = decltype(f)::format;

        if (row_is_odd(&o) || vectors % WIDE_VECTORS != 0)
            return row_do_any<F>(&o);
        return wide_launch<F>(o, vectors);
    });
}

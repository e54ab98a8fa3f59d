/*
 * A row further on asked for.
 *
 * As in kernels/softmax/ahead.cu: the first thread of a block asks L2 for the
 * row that lies 1.5 MiB further on, one instruction that nobody waits for.
 * Memory is read in whole rows, in the order of addresses and at the pace at
 * which blocks start, and a block waits for L2 only. The rest is `row`.
 *
 * Predicted before any run: half a per cent or more over `row`. Trials of two
 * distances, before the first record, found it slower at both. Why is not
 * known; there is less to do here between a load and its store than in a
 * softmax, so perhaps there was nothing left to hide.
 */
#include "kernels/ptx.cuh"
#include "kernels/quantize/row.cuh"

enum { AHEAD = 3 << 19 /* bytes: 1.5 MiB */ };

// ANCHOR: inner
template <pack_format F, int V>
static __global__ void __launch_bounds__(ROW_THREADS)
    row_and_one_ahead(uint8_t *q, float *scales, const uint16_t *x,
                      unsigned vectors)
{
    const uint4 *src = (const uint4 *)x + blockIdx.x * (size_t)vectors;
    uint2 *dst = (uint2 *)q + blockIdx.x * (size_t)vectors;
    const unsigned bytes = vectors * sizeof *src;
    const unsigned ahead = (AHEAD - 1) / bytes + 1;
    uint4 v[V];
    uint32_t top = 0;

    if (threadIdx.x == 0 && blockIdx.x + ahead < gridDim.x)
        ptx_bulk_prefetch(src + ahead * (size_t)vectors, bytes);
    for (int k = 0; k < V; k++) {
        const unsigned i = k * ROW_THREADS + threadIdx.x;

        v[k] = i < vectors ? src[i] : make_uint4(0, 0, 0, 0);
    }
    for (int k = 0; k < V; k++)
        top = pack_largest(top, v[k]);
    top = pack_block_largest<ROW_THREADS>(pack_half(top));
    if (threadIdx.x == 0)
        scales[blockIdx.x] = pack_scale<F>(top);

    const float factor = pack_factor<F>(top);

    for (int k = 0; k < V; k++) {
        const unsigned i = k * ROW_THREADS + threadIdx.x;

        if (i < vectors)
            dst[i] = pack_eight<F>(v[k], factor);
    }
}
// ANCHOR_END: inner

extern "C" int quantize_ahead(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *)
{
    const struct pack_operands o = pack_operands_of(c, env, buf);
    const unsigned rows = (unsigned)(o.n / o.group);
    const unsigned vectors = (unsigned)(o.group / PACK_WIDTH);

    return pack_dispatch(c, [&](auto f) {
        constexpr pack_format F = decltype(f)::format;

        if (row_is_odd(&o))
            return row_do_any<F>(&o);
        return row_dispatch(&o, [&](auto k) {
            row_and_one_ahead<F, decltype(k)::vectors>
                <<<rows, ROW_THREADS, 0, o.stream>>>(o.q, o.scales, o.x,
                                                     vectors);
            return (int)cudaGetLastError();
        });
    });
}

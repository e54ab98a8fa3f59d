/*
 * quantize/ahead - a prefetch of a later row.
 *
 * As in softmax/ahead, the first thread of a block asks the L2 for the row 1.5
 * MiB further on, with one instruction that no thread waits for. Memory is read
 * in whole rows, in address order and at the pace at which blocks start, and a
 * block waits for the L2 only. All else is quantize/row.
 *
 * Predicted before any run: half a per cent or more over `row`. Trials of two
 * distances, before the first record, found it slower at both. Why is not
 * known; there is less to do here between a load and its store than in a
 * softmax, so perhaps there was nothing left to hide.
 */
#include "kernels/knob.cuh"
#include "kernels/ptx.cuh"
#include "kernels/quantize/row.cuh"

enum { AHEAD = KNOB(3 << 19) /* bytes: 1.5 MiB */ };

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

    if (threadIdx.x == 0 && blockIdx.x + ahead < gridDim.x)
        ptx_bulk_prefetch(src + ahead * (size_t)vectors, bytes);
    row_load(v, src, vectors);
    const float factor = pack_factor<F>(row_top<F, ROW_THREADS>(v, scales));

    row_store<F>(dst, v, factor, vectors);
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

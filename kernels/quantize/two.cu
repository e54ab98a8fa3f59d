/*
 * quantize/two - two passes: find the largest magnitudes, then convert.
 *
 * The scale of a group must be known before its first element can be
 * converted, so the obvious way goes through memory twice: two bytes an
 * element for the maximum, two more and one back for the conversion, five in
 * place of three. Each pass is a good one: 16-byte loads, maxima of two
 * elements at a time on the bits of bf16, conversions by two.
 *
 * Predicted before any run: three fifths of what the bytes of one pass would
 * allow, 50 to 55 % of the datasheet bandwidth.
 */
#include "kernels/quantize/passes.cuh"

// ANCHOR: inner
template <pack_format F>
static __global__ void convert(uint8_t *q, float *scales,
                               const uint32_t *largest, const uint16_t *x,
                               size_t n, size_t group)
{
    const size_t first = blockIdx.x * (size_t)PASSES_THREADS;

    passes_convert<F>(q, scales, largest, x, first, n, group);
}
// ANCHOR_END: inner

/* The largest magnitude of each group. */
extern "C" size_t quantize_two_scratch(const struct kernel_case *c,
                                       const struct kernel_env *)
{
    return quantize_elements(c) / quantize_group(c) * sizeof(uint32_t);
}

extern "C" int quantize_two(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *)
{
    const struct pack_operands o = pack_operands_of(c, env, buf);
    uint32_t *largest = (uint32_t *)buf[QUANTIZE_SCRATCH];
    const int rc = passes_find(&o, largest, 0);

    if (rc)
        return rc;
    return pack_dispatch(c, [&](auto k) {
        convert<decltype(k)::format>
            <<<passes_blocks(&o), PASSES_THREADS, 0, o.stream>>>(
                o.q, o.scales, largest, o.x, o.n, o.group);
        return (int)cudaGetLastError();
    });
}

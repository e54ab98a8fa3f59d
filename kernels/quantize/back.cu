/*
 * quantize/back - the second pass takes the tiles from the end.
 *
 * With one scale for the whole tensor, two passes are needed: no register file
 * holds a tensor. When the first pass ends, the L2 still holds what it read
 * last. A second pass from the front would evict that before it gets there. So
 * its blocks take their tiles from the end.
 *
 * Predicted before any run, of a form that also marks what is not wanted again:
 * some 40 MB of the second pass come from L2. For a tensor of 256 MiB that is a
 * seventh of its reads, about a tenth of the time. `kept` has the marks.
 */
#include "kernels/quantize/passes.cuh"

// ANCHOR: inner
template <pack_format F>
static __global__ void back(uint8_t *q, float *scales, const uint32_t *largest,
                            const uint16_t *x, size_t n, size_t group)
{
    const unsigned tile = gridDim.x - 1 - blockIdx.x;

    passes_convert<F>(q, scales, largest, x, tile * (size_t)PASSES_THREADS, n,
                      group);
}
// ANCHOR_END: inner

extern "C" size_t quantize_back_scratch(const struct kernel_case *c,
                                        const struct kernel_env *)
{
    return quantize_elements(c) / quantize_group(c) * sizeof(uint32_t);
}

extern "C" int quantize_back(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const struct pack_operands o = pack_operands_of(c, env, buf);
    uint32_t *largest = (uint32_t *)buf[QUANTIZE_SCRATCH];
    const int rc = passes_find(&o, largest, 0);

    if (rc)
        return rc;
    return pack_dispatch(c, [&](auto k) {
        back<decltype(k)::format>
            <<<passes_blocks(&o), PASSES_THREADS, 0, o.stream>>>(
                o.q, o.scales, largest, o.x, o.n, o.group);
        return (int)cudaGetLastError();
    });
}

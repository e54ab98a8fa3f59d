/*
 * quantize/kept - the first pass keeps in the L2 what the second reads first.
 *
 * `back` finds in the L2 what happens to be left there. Here the first pass
 * marks everything but the last part, half an L2 of it, as used once, so that
 * the L2 keeps this part. The first form of `back` was meant to do so, but by a
 * mistake (a cache policy where a truth value was expected) it marked
 * everything.
 *
 * Predicted before any run: three per cent less time than `two` or better. Half
 * an L2 is a small part of what both passes move.
 */
#include "kernels/quantize/passes.cuh"

// ANCHOR: inner
template <pack_format F>
static __global__ void kept(uint8_t *q, float *scales, const uint32_t *largest,
                            const uint16_t *x, size_t n, size_t group)
{
    const unsigned tile = gridDim.x - 1 - blockIdx.x;

    passes_convert<F>(q, scales, largest, x, tile * (size_t)PASSES_THREADS, n,
                      group);
}
// ANCHOR_END: inner

extern "C" size_t quantize_kept_scratch(const struct kernel_case *c,
                                        const struct kernel_env *)
{
    return quantize_elements(c) / quantize_group(c) * sizeof(uint32_t);
}

extern "C" int quantize_kept(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const struct pack_operands o = pack_operands_of(c, env, buf);
    uint32_t *largest = (uint32_t *)buf[QUANTIZE_SCRATCH];
    const size_t half = env->l2_bytes / 2 / sizeof *o.x; /* elements */
    const int rc = passes_find(&o, largest, o.n > half ? o.n - half : 0);

    if (rc)
        return rc;
    return pack_dispatch(c, [&](auto k) {
        kept<decltype(k)::format>
            <<<passes_blocks(&o), PASSES_THREADS, 0, o.stream>>>(
                o.q, o.scales, largest, o.x, o.n, o.group);
        return (int)cudaGetLastError();
    });
}

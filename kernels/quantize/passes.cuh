/*
 * kernels/quantize/passes.cuh - quantisation in two kernels, for groups of
 * any length: the largest magnitudes, then the bytes.
 */
#ifndef KERNELS_QUANTIZE_PASSES_CUH
#define KERNELS_QUANTIZE_PASSES_CUH

#include "kernels/quantize/pack.cuh"

enum {
    PASSES_THREADS = 256,
    PASSES_WARPS = PASSES_THREADS / PACK_WARP,
    PASSES_PIECE = 8192, /* elements of one group that a warp looks through */
};

/* Do the elements of each group make whole vectors? */
PACK_FN bool passes_aligned(size_t group)
{
    return group % PACK_WIDTH == 0;
}

/* This lane's part of the largest magnitude of x[begin], …, x[end - 1]. */
PACK_FN uint32_t passes_look(const uint16_t *x, size_t begin, size_t end,
                             bool aligned)
{
    const int lane = threadIdx.x % PACK_WARP;
    uint32_t top = 0;

    if (!aligned) {
        for (size_t i = begin + lane; i < end; i += PACK_WARP)
            top = pack_larger(top, x[i]);
        return top;
    }
#pragma unroll 4
    for (size_t i = begin / PACK_WIDTH + lane; i < end / PACK_WIDTH;
         i += PACK_WARP)
        top = pack_largest(top, ((const uint4 *)x)[i]);
    return top;
}

/* A warp looks through a piece of a group. `largest` has a zero for each
 * group at first, and the bits of its largest magnitude in the end. */
static __global__ void passes_largest(uint32_t *largest, const uint16_t *x,
                                      size_t n, size_t group, unsigned pieces)
{
    const size_t warp =
        blockIdx.x * (size_t)PASSES_WARPS + threadIdx.x / PACK_WARP;
    const size_t g = warp / pieces, piece = warp % pieces;
    const size_t begin = g * group + piece * PASSES_PIECE;

    if (g * group >= n)
        return;
    const size_t end = min((g + 1) * group, begin + PASSES_PIECE);
    const uint32_t top = __reduce_max_sync(
        0xffffffff,
        pack_half(passes_look(x, begin, end, passes_aligned(group))));

    if (threadIdx.x % PACK_WARP == 0)
        atomicMax(&largest[g], top);
}

/* Up to eight elements from element i on, one by one; the first of a group
 * writes its scale. */
template <pack_format F>
PACK_FN void passes_singly(uint8_t *q, float *scales, const uint32_t *largest,
                           const uint16_t *x, size_t i, size_t n, size_t group)
{
    for (size_t j = i; j < n && j < i + PACK_WIDTH; j++) {
        const uint32_t top = largest[j / group];

        if (j % group == 0)
            scales[j / group] = pack_scale<F>(top);
        q[j] = pack_one<F>(x[j], pack_factor<F>(top));
    }
}

/* Vector i; the first of a group writes its scale. */
template <pack_format F>
PACK_FN void passes_vector(uint8_t *q, float *scales, const uint32_t *largest,
                           const uint16_t *x, size_t i, size_t group)
{
    const uint32_t vectors = (uint32_t)(group / PACK_WIDTH); /* in a group */
    const uint32_t g = (uint32_t)i / vectors;
    const uint32_t top = largest[g];

    if ((uint32_t)i % vectors == 0)
        scales[g] = pack_scale<F>(top);
    ((uint2 *)q)[i] = pack_eight<F>(((const uint4 *)x)[i], pack_factor<F>(top));
}

/* A block of the second pass: PASSES_THREADS vectors from `first` on. */
template <pack_format F>
PACK_FN void passes_convert(uint8_t *q, float *scales, const uint32_t *largest,
                            const uint16_t *x, size_t first, size_t n,
                            size_t group)
{
    const size_t i = first + threadIdx.x;

    if (!passes_aligned(group))
        passes_singly<F>(q, scales, largest, x, i * PACK_WIDTH, n, group);
    else if (i < n / PACK_WIDTH)
        passes_vector<F>(q, scales, largest, x, i, group);
}

/* ---- on the host ---- */

static inline unsigned passes_pieces(const struct pack_operands *o)
{
    return (unsigned)((o->group + PASSES_PIECE - 1) / PASSES_PIECE);
}

/* The zeros that passes_largest() wants, and its launch. */
static inline int passes_find(const struct pack_operands *o, uint32_t *largest)
{
    const size_t groups = o->n / o->group;
    const size_t warps = groups * passes_pieces(o);
    const int rc =
        cudaMemsetAsync(largest, 0, groups * sizeof *largest, o->stream);

    if (rc)
        return rc;
    passes_largest<<<(unsigned)((warps + PASSES_WARPS - 1) / PASSES_WARPS),
                     PASSES_THREADS, 0, o->stream>>>(
        largest, o->x, o->n, o->group, passes_pieces(o));
    return cudaGetLastError();
}

/* Blocks of the second pass. */
static inline unsigned passes_blocks(const struct pack_operands *o)
{
    const size_t tile = (size_t)PASSES_THREADS * PACK_WIDTH;

    return (unsigned)((o->n + tile - 1) / tile);
}

#endif

/*
 * kernels/quantize/passes.cuh - quantisation in two kernels, for groups of
 * any length: the largest magnitudes, then the bytes.
 */
#ifndef KERNELS_QUANTIZE_PASSES_CUH
#define KERNELS_QUANTIZE_PASSES_CUH

#include "kernels/ptx.cuh"
#include "kernels/quantize/pack.cuh"

enum {
    PASSES_THREADS = 256,
    PASSES_EACH = 4, /* vectors that a thread looks through */
    PASSES_PIECE = PASSES_THREADS * PASSES_EACH * PACK_WIDTH, /* elements */
    PASSES_FEW = 4, /* threads that look through a group of 128 together */
    PASSES_GROUPS = PASSES_THREADS / PASSES_FEW, /* of 128, for a block */
};

static_assert(PASSES_FEW * PASSES_EACH * PACK_WIDTH == (int)QUANTIZE_GROUP);

/* True if the elements of each group make whole vectors. */
PACK_FN bool passes_aligned(size_t group)
{
    return group % PACK_WIDTH == 0;
}

/* A vector that need not stay in the L2. */
PACK_FN uint4 passes_load_once(const uint4 *p)
{
    const float4 v = ptx_load_once((const float4 *)p, ptx_evict_first());

    return make_uint4(__float_as_uint(v.x), __float_as_uint(v.y),
                      __float_as_uint(v.z), __float_as_uint(v.w));
}

/* This thread's part of the largest magnitude of x[begin], …, x[end - 1], a
 * piece at most, read once or so that it may stay in L2. */
PACK_FN uint32_t passes_look(const uint16_t *x, size_t begin, size_t end,
                             bool aligned, bool once)
{
    const uint4 *v = (const uint4 *)(x + begin) + threadIdx.x;
    const unsigned vectors = (unsigned)((end - begin) / PACK_WIDTH);
    uint32_t top = 0;

    for (int k = 0; aligned && k < PASSES_EACH; k++) {
        const uint4 *at = v + k * PASSES_THREADS;

        if (k * PASSES_THREADS + threadIdx.x < vectors)
            top = pack_largest(top, once ? passes_load_once(at) : *at);
    }
    if (aligned)
        return top;
    for (size_t i = begin + threadIdx.x; i < end; i += PASSES_THREADS)
        top = pack_larger(top, x[i]);
    return top;
}

/*
 * A block looks through a piece of a group. `largest` has a zero for each
 * group at first, and the bits of its largest magnitude in the end. What lies
 * before element `keep` is not to stay in L2.
 */
static __global__ void passes_largest(uint32_t *largest, const uint16_t *x,
                                      size_t group, unsigned pieces,
                                      size_t keep)
{
    const size_t g = blockIdx.x / pieces, piece = blockIdx.x % pieces;
    const size_t begin = g * group + piece * PASSES_PIECE;
    const size_t end = min((g + 1) * group, begin + PASSES_PIECE);
    const uint32_t top = pack_block_largest<PASSES_THREADS>(pack_half(
        passes_look(x, begin, end, passes_aligned(group), begin < keep)));

    if (threadIdx.x == 0)
        atomicMax(&largest[g], top);
}

/* The same for groups of 128: four threads for each. */
static __global__ void passes_largest_of_128(uint32_t *largest,
                                             const uint16_t *x, size_t groups)
{
    const size_t g =
        blockIdx.x * (size_t)PASSES_GROUPS + threadIdx.x / PASSES_FEW;
    const uint4 *v = (const uint4 *)x + g * (PASSES_FEW * PASSES_EACH) +
                     threadIdx.x % PASSES_FEW;
    uint32_t top = 0;

    for (int k = 0; k < PASSES_EACH && g < groups; k++)
        top = pack_largest(top, v[k * PASSES_FEW]);
    for (int lane = PASSES_FEW / 2; lane > 0; lane /= 2)
        top = __vmaxu2(top, __shfl_xor_sync(0xffffffff, top, lane));
    if (threadIdx.x % PASSES_FEW == 0 && g < groups)
        largest[g] = pack_half(top);
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

/* Fills `largest`; what lies before element `keep` is not to stay in L2. */
static inline int passes_find(const struct pack_operands *o, uint32_t *largest,
                              size_t keep)
{
    const size_t groups = o->n / o->group;
    const unsigned pieces =
        (unsigned)((o->group + PASSES_PIECE - 1) / PASSES_PIECE);
    int rc = 0;

    if (o->group == QUANTIZE_GROUP) {
        passes_largest_of_128<<<(unsigned)((groups + PASSES_GROUPS - 1) /
                                           PASSES_GROUPS),
                                PASSES_THREADS, 0, o->stream>>>(largest, o->x,
                                                                groups);
        return cudaGetLastError();
    }
    rc = cudaMemsetAsync(largest, 0, groups * sizeof *largest, o->stream);
    if (!rc)
        passes_largest<<<(unsigned)(groups * pieces), PASSES_THREADS, 0,
                         o->stream>>>(largest, o->x, o->group, pieces, keep);
    return rc ? rc : (int)cudaGetLastError();
}

/* Blocks of the second pass. */
static inline unsigned passes_blocks(const struct pack_operands *o)
{
    const size_t tile = (size_t)PASSES_THREADS * PACK_WIDTH;

    return (unsigned)((o->n + tile - 1) / tile);
}

#endif

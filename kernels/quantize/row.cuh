/*
 * kernels/quantize/row.cuh - a block for each row that keeps it in
 * registers; only the way bytes are stored differs between variants.
 */
#ifndef KERNELS_QUANTIZE_ROW_CUH
#define KERNELS_QUANTIZE_ROW_CUH

#include "kernels/quantize/pack.cuh"

enum {
    ROW_THREADS = 256,
    ROW_VECTORS = 8, /* of 16 bytes, that a thread holds at most */
    ROW_LONGEST = ROW_THREADS * ROW_VECTORS * PACK_WIDTH, /* elements */
};

/* Rows that are not whole vectors, or too long: the block reads them twice, one
 * by one. */
template <pack_format F>
static __global__ void row_any(uint8_t *q, float *scales, const uint16_t *x,
                               size_t cols)
{
    const size_t begin = blockIdx.x * cols;
    uint32_t top = 0;

    for (size_t i = threadIdx.x; i < cols; i += ROW_THREADS)
        top = pack_larger(top, x[begin + i]);
    top = pack_block_largest<ROW_THREADS>(top);
    if (threadIdx.x == 0)
        scales[blockIdx.x] = pack_scale<F>(top);
    for (size_t i = threadIdx.x; i < cols; i += ROW_THREADS)
        q[begin + i] = pack_one<F>(x[begin + i], pack_factor<F>(top));
}

/* True if row_any() has to convert the rows. */
static inline bool row_is_odd(const struct pack_operands *o)
{
    return o->group % PACK_WIDTH != 0 || o->group > ROW_LONGEST;
}

template <pack_format F> static int row_do_any(const struct pack_operands *o)
{
    row_any<F><<<(unsigned)(o->n / o->group), ROW_THREADS, 0, o->stream>>>(
        o->q, o->scales, o->x, o->group);
    return cudaGetLastError();
}

/* The V vectors of this thread, all in flight at once; zeros behind the end. */
template <int V>
PACK_FN void row_load(uint4 (&v)[V], const uint4 *src, unsigned vectors)
{
    for (int k = 0; k < V; k++) {
        const unsigned i = k * ROW_THREADS + threadIdx.x;

        v[k] = i < vectors ? src[i] : make_uint4(0, 0, 0, 0);
    }
}

/* The largest magnitude of the row, in all threads; thread 0 writes the row's
 * scale. */
template <pack_format F, int THREADS, int V>
PACK_FN uint32_t row_top(const uint4 (&v)[V], float *scales)
{
    uint32_t top = 0;

    for (int k = 0; k < V; k++)
        top = pack_largest(top, v[k]);
    top = pack_block_largest<THREADS>(pack_half(top));
    if (threadIdx.x == 0)
        scales[blockIdx.x] = pack_scale<F>(top);
    return top;
}

/* Converts this thread's vectors and stores 8 bytes for each. */
template <pack_format F, int V>
PACK_FN void row_store(uint2 *dst, const uint4 (&v)[V], float factor,
                       unsigned vectors)
{
    for (int k = 0; k < V; k++) {
        const unsigned i = k * ROW_THREADS + threadIdx.x;

        if (i < vectors)
            dst[i] = pack_eight<F>(v[k], factor);
    }
}

/* f(row_constant<V>()) with V vectors a thread: 1, 2, 4 or 8, enough for a
 * row. */
template <int V> struct row_constant {
    static constexpr int vectors = V;
};

template <typename F>
static int row_dispatch(const struct pack_operands *o, const F &f)
{
    const size_t each =
        (o->group + ROW_THREADS * PACK_WIDTH - 1) / (ROW_THREADS * PACK_WIDTH);

    if (each <= 1)
        return f(row_constant<1>());
    if (each <= 2)
        return f(row_constant<2>());
    return each <= 4 ? f(row_constant<4>()) : f(row_constant<8>());
}

#endif

/*
 * kernels/decode/pieces.cuh - where blocks leave the sums of pieces of SPAN
 * keys, for the last of them to join: a row has a place for each piece, and a
 * counter.
 */
#ifndef KERNELS_DECODE_PIECES_CUH
#define KERNELS_DECODE_PIECES_CUH

#include "kernels/decode/last.cuh"
#include "kernels/decode/splits.cuh"

struct pieces {
    parts places;
    uint32_t *count;
    int most; /* pieces of a row */
};

/* In scratch memory; the counters come behind the places. */
template <int ROWS>
static inline pieces pieces_at(const attention &a, void *scratch)
{
    const int most = splits_of(a.l);
    const int n = a.b * a.kv * blocks_of_group(a, ROWS) * most;

    return {parts_at(scratch, n, ROWS),
            (uint32_t *)((char *)scratch + parts_bytes(n, ROWS)), most};
}

/* Those that multiply, in block (piece, row): what finish() says. */
template <int ROWS>
static __device__ __forceinline__ void
finish_piece(const attention &a, const struct row &r, warp_parts<ROWS> &sums,
             const pieces &p)
{
    const int n = splits_of(a.where[r.sequence]), row = blockIdx.y;

    finish<ROWS>(
        a, r, sums, p.places, n, blockIdx.x,
        [&](int i) { return row * p.most + i; }, p.count + row);
}

static inline size_t pieces_scratch(const struct kernel_case *c)
{
    void *const none[DECODE_SCRATCH] = {};
    const struct attention a = attention_of(c, none);
    const int most = few_heads(a) ? 8 : 16;
    const int rows = a.b * a.kv * blocks_of_group(a, most);

    return parts_bytes(rows * splits_of(a.l), most) + rows * sizeof(uint32_t);
}

#endif

/*
 * kernels/verify/pieces.cuh - rows cut into pieces, a block for each, and what
 * the blocks leave of them.
 */
#ifndef KERNELS_VERIFY_PIECES_CUH
#define KERNELS_VERIFY_PIECES_CUH

#include "kernels/verify/tensor.cuh"

enum { TOGETHER = 2 /* blocks on an SM */ };

/* Of a row: how many blocks have left their part; whether all have; how many
 * have read what they want. All zero before and after a launch. */
struct counts {
    uint32_t left, all, read;
};

/* How rows are cut: `span` keys a piece, `most` pieces for the longest row. */
struct cut {
    int span, most;
};

/* Pieces in scratch memory. */
struct pieces {
    cut by;
    parts places;
    struct counts *counts;
};

static inline cut cut_by(const draft &d, int span)
{
    return {span, ceil_div(d.a.l, span)};
}

/* Queries that a block takes. */
static inline int rows_for(const draft &d)
{
    const int queries = d.a.heads / d.a.kv;

    return queries <= 8 ? 8 : queries <= 16 ? 16 : 32;
}

static inline int all_rows(const draft &d)
{
    return d.a.b * d.a.kv * blocks_of_group(d.a, rows_for(d));
}

static inline size_t pieces_bytes(const draft &d, const cut &by)
{
    return parts_bytes(all_rows(d) * by.most, rows_for(d)) +
           all_rows(d) * sizeof(struct counts);
}

static inline pieces pieces_at(const draft &d, const cut &by, void *scratch)
{
    const int n = all_rows(d) * by.most, rows = rows_for(d);

    return {by, parts_at(scratch, n, rows),
            (struct counts *)((char *)scratch + parts_bytes(n, rows))};
}

/* The stretch of block (piece, row); it has no keys if the row is too short. */
static __device__ __forceinline__ stretch stretch_of(const draft &d,
                                                     const cut &by, int keys)
{
    const int first = blockIdx.x * by.span;

    return {first, min(first + by.span, keys), keys};
}

/* Calls start<ROWS>(...) with as many queries as a row of the draft has. */
#define EIGHT_TO_32(d, start, ...)                \
    (rows_for(d) == 8    ? start<8>(__VA_ARGS__)  \
     : rows_for(d) == 16 ? start<16>(__VA_ARGS__) \
                         : start<32>(__VA_ARGS__))

/* The grid of a launch: a block for each piece of each row. */
static inline dim3 blocks_for(const draft &d, const cut &by)
{
    return dim3(by.most, all_rows(d));
}

// ANCHOR: last
/* The block that counts itself last joins all parts of its row. */
template <int ROWS>
static __device__ __forceinline__ void
finish_last(const draft &d, const struct row &r, warp_parts<ROWS> &sums,
            const pieces &p, int number, int keys)
{
    finish<ROWS>(
        d.a, r, sums, p.places, ceil_div(keys, p.by.span), blockIdx.x,
        [&](int i) { return number * p.by.most + i; }, &p.counts[number].left);
}
// ANCHOR_END: last

/* The block: its piece of a row, if the row is so long. */
template <int ROWS>
static __device__ __forceinline__ void
attend_piece(char *raw, const draft &d, const struct row &r, const pieces &p)
{
    const int keys = d.a.where[r.sequence];
    const stretch w = stretch_of(d, p.by, keys);

    if (w.first < keys)
        finish_last(d, r, attend<ROWS>(raw, d, r, w, [] {}), p, blockIdx.y,
                    keys);
}

#endif

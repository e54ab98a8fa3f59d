/*
 * kernels/exchange/pack.cuh - for those who move blocks of rows: a kernel puts
 * the rows for each GPU side by side, or adds up what has come. The host knows
 * how many rows there are, so each block has its place at the receiver.
 */
#ifndef KERNELS_EXCHANGE_PACK_CUH
#define KERNELS_EXCHANGE_PACK_CUH

#include "kernels/exchange/sides.cuh"

enum { PACK_BLOCKS = 132 };

/* Behind the boxes: blocks of t rows, one for each other GPU. */
static __host__ __device__ inline uint4 *block_of(const sides &p, int at, int h)
{
    uint4 *const first = (uint4 *)(p.scratch[at] + MOST_BOXES * sizeof(box));

    return first + (size_t)h * p.t * (p.vectors + MARK);
}

static inline size_t pack_scratch(const struct kernel_case *c)
{
    const size_t row = 2 * ((size_t)kernel_num(c, "hidden") + EXCHANGE_MARK);

    return MOST_BOXES * sizeof(box) +
           (size_t)kernel_gpus(c) * (size_t)kernel_num(c, "t") * row;
}

// ANCHOR: inner
/* Rows for each other GPU into their blocks, the own ones to their place. */
static __global__ void __launch_bounds__(THREADS, 1)
    pack(const __grid_constant__ sides p, int own_begin)
{
    __shared__ going s;

    count(p, &s);
    for_pieces(p, p.t, [&](const piece &a) {
        const int token = (int)a.row;
        uint4 v[ACROSS];

        load_piece(p, (const uint4 *)p.x + (size_t)a.row * p.vectors, a.from,
                   v);
        for (int h = 0; h < p.gpus; h++) {
            const int n = before(&s, token, h);

            if (!goes(&s, token, h))
                continue;
            uint4 *const to = h == p.rank ? got_row(p, h, own_begin + n)
                                          : block_of(p, p.rank, h) +
                                                (size_t)n * (p.vectors + MARK);
            store_piece(p, to, a.from, v);
            if (a.from == 0)
                store_marks(p, token, h, to);
        }
    });
}

/* Rows of each other GPU lie in their blocks. */
static __global__ void __launch_bounds__(THREADS, 1)
    unpack(const __grid_constant__ sides p)
{
    __shared__ going s;

    count(p, &s);
    for_pieces(p, p.t, [&](const piece &a) {
        add_piece(p, &s, a, [&](int h, int n) {
            return h == p.rank ? y_row(p, h, begins(p, h, p.rank) + n)
                               : block_of(p, p.rank, h) + (size_t)n * p.vectors;
        });
    });
}
// ANCHOR_END: inner

/* ---- the host's side ---- */

/* A block of rows that goes from one GPU to another. */
struct transfer {
    const void *from;
    void *to;
    size_t bytes;
};

static inline transfer transfer_of(const struct kernel_case *c,
                                   void *const *buf, int from, int at)
{
    const struct exchange *const e = exchange_of(c);
    const sides p = sides_of(c, buf, from);
    const size_t hidden = (size_t)kernel_num(c, "hidden");
    const size_t out = 2 * (hidden + EXCHANGE_MARK), back = 2 * hidden;

    if (exchange_is_dispatch(c))
        return {block_of(p, from, at),
                (char *)p.got[at] + out * exchange_begin(e, at, from),
                out * exchange_rows(e, from, at)};
    return {(const char *)p.y[from] + back * exchange_begin(e, from, at),
            block_of(p, at, from), back * exchange_rows(e, at, from)};
}

#endif

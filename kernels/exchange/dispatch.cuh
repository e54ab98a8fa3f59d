/*
 * kernels/exchange/dispatch.cuh - warps store rows into the memory of their
 * receivers: blocks count, tell each other the counts, store, and meet.
 */
#ifndef KERNELS_EXCHANGE_DISPATCH_CUH
#define KERNELS_EXCHANGE_DISPATCH_CUH

#include "kernels/exchange/sides.cuh"

/* Stores a piece of a token's row to a GPU. A warp. */
PTX_FN void send(const sides &p, const going *s, const piece &a, int at,
                 const uint4 v[ACROSS])
{
    const int token = (int)a.row;
    uint4 *const to = got_row(p, at, s->first[at] + before(s, token, at));

    store_piece(p, to, a.from, v);
    if (a.from == 0)
        store_marks(p, token, at, to);
}

// ANCHOR: inner
/* send_all(piece, v) sends a piece, which is v, to all that want it. */
template <typename SEND>
PTX_FN void dispatch(const sides &p, going *s, SEND send_all)
{
    box *const mine = box_of(p, p.rank);
    const uint32_t ticket = mine->ticket + 1;

    count(p, s);
    tell_counts(p, s, ticket); /* they have begun, and wait for rows */
    for_pieces(p, p.t, [&](const piece &a) {
        uint4 v[ACROSS];

        load_piece(p, (const uint4 *)p.x + (size_t)a.row * p.vectors, a.from,
                   v);
        send_all(a, v);
    });
    meet(p, ticket); /* all rows are there */
    if (threadIdx.x == 0)
        mine->ticket = ticket;
}
// ANCHOR_END: inner

#endif

/*
 * kernels/decode/abreast.cuh - the blocks of a row walk side by side: block i
 * of n has tiles i, i + n, i + 2 n and so on.
 */
#ifndef KERNELS_DECODE_ABREAST_CUH
#define KERNELS_DECODE_ABREAST_CUH

#include "kernels/decode/pieces.cuh"
#include "kernels/decode/stages.cuh"

// ANCHOR: inner
/*
 * The block: every tile number `part` of `parts` of a row of so many keys, as
 * attend() of kernels/decode/stages.cuh. ready() is called before the tile with
 * the last key is asked for, and before queries are read.
 */
template <int ROWS, class READY>
static __device__ __forceinline__ warp_parts<ROWS> &
attend_abreast(char *raw, const attention &a, const struct row &r, int keys,
               int part, int parts, READY ready)
{
    const int warp = threadIdx.x / WARP, step = parts * SIDE;
    const int mine = part * SIDE + warp * MINE;
    const int pieces = max(0, ceil_div(keys - mine, step));
    const int last = ceil_div(keys, SIDE) - 1; /* the row's last tile */
    slot *const ring = (slot *)raw + warp * SLOTS;
    warp_parts<ROWS> &sums = *(warp_parts<ROWS> *)raw;
    const size_t from = keys_of(a, r);
    held x;

    static_assert(sizeof sums <= SHARED, "sums fit the slots");
    const auto ask = [&](int i) {
        const int j = mine + i * step;
        slot &to = ring[i % SLOTS];

        if (i < pieces) {
            place(to.k, a.k + from + (size_t)j * DEEP, keys - j);
            place(to.v, a.v + from + (size_t)j * DEEP, keys - j);
        }
        ptx_copies_commit();
    };

    for (int i = 0; i < SLOTS - 1; i++) {
        if (part + i * parts == last)
            ready();
        ask(i);
    }
    ready();
    begin(x, a, r);
    for (int i = 0; i < pieces; i++) {
        slot &now = ring[i % SLOTS];

        ptx_copies_wait<SLOTS - 2>();
        __syncwarp(); /* the copies of all lanes, and the last slot is free */
        ask(i + SLOTS - 1);
        multiply<ROWS>(
            x, a.scale, keys - mine - i * step,
            [&](int row, int e) { return now.k.at(row, e); },
            [&](int row, int e) { return now.v.at(row, e); });
    }
    ptx_copies_wait<0>();
    __syncthreads(); /* nobody needs the slots any more */
    show(sums, x);
    __syncthreads(); /* the sums of all warps are there */
    return sums;
}
// ANCHOR_END: inner

#endif

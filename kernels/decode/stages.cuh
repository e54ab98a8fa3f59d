/*
 * kernels/decode/stages.cuh - each warp copies its own keys ahead with
 * cp.async, and waits for nobody.
 *
 * A warp has SLOTS slots of 16 keys and values in shared memory. Chunk c of row
 * r lies at place c ^ (r mod 8) of the row: eight rows of a chunk lie in eight
 * different groups of four banks.
 */
#ifndef KERNELS_DECODE_STAGES_CUH
#define KERNELS_DECODE_STAGES_CUH

#include "kernels/decode/tensor.cuh"

enum { SLOTS = 3, THREADS = BESIDE };

/* 16 rows of keys or values, swizzled. */
struct rows {
    uint16_t of[MINE][DEEP];

    __device__ uint16_t *at(int row, int e)
    {
        return &of[row][(e / WIDTH ^ row % 8) * WIDTH];
    }
};

struct slot {
    rows k, v;
};

enum { SHARED = WARPS * SLOTS * sizeof(slot) };

/* Starts the copies of a lane; rows from `left` on are zeros. */
static __device__ __forceinline__ void place(rows &to, const uint16_t *from,
                                             int left)
{
#pragma unroll
    for (int i = 0; i < MINE * DEEP / WIDTH / WARP; i++) {
        const int v = threadIdx.x % WARP + i * WARP;
        const int row = v / (DEEP / WIDTH), e = v % (DEEP / WIDTH) * WIDTH;

        ptx_copy_16(to.at(row, e), row < left ? from + row * DEEP + e : from,
                    row < left);
    }
}

// ANCHOR: inner
/* The block: keys `first` to `end` of a row. Then the sums of its warps lie at
 * the beginning of shared memory. */
template <int ROWS>
static __device__ __forceinline__ warp_parts<ROWS> &
attend(char *raw, const attention &a, const struct row &r, int first, int end)
{
    const int warp = threadIdx.x / WARP;
    const int mine = first + warp * MINE;
    const int pieces = max(0, ceil_div(end - mine, SIDE));
    slot *const ring = (slot *)raw + warp * SLOTS;
    warp_parts<ROWS> &sums = *(warp_parts<ROWS> *)raw;
    const size_t from = keys_of(a, r);
    held x;

    static_assert(sizeof sums <= SHARED, "sums fit the slots");
    const auto ask = [&](int i) {
        const int j = mine + i * SIDE;
        slot &to = ring[i % SLOTS];

        if (i < pieces) {
            place(to.k, a.k + from + (size_t)j * DEEP, end - j);
            place(to.v, a.v + from + (size_t)j * DEEP, end - j);
        }
        ptx_copies_commit();
    };

    for (int i = 0; i < SLOTS - 1; i++)
        ask(i);
    begin(x, a, r);
    for (int i = 0; i < pieces; i++) {
        slot &now = ring[i % SLOTS];

        ptx_copies_wait<SLOTS - 2>();
        __syncwarp(); /* the copies of all lanes, and the last slot is free */
        ask(i + SLOTS - 1);
        multiply<ROWS>(
            x, a.scale, end - mine - i * SIDE,
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

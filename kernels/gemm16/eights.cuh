/*
 * kernels/gemm16/eights.cuh - outputs that go from registers to memory, eight
 * columns of a row at a time.
 *
 * wgmma leaves a thread two columns of every eight: columns 8 q + 2 t and
 * 8 q + 2 t + 1, where t is its lane mod 4. As bf16 they are 4 bytes, and
 * stores of 4 bytes fill a sector of memory only in two turns. But the four
 * lanes of a row have four such words each for four q. If each gives the others
 * what they lack, lane t has all of columns 8 t to 8 t + 7: 16 bytes, and the
 * four lanes write 64 bytes side by side.
 */
#ifndef KERNELS_GEMM16_EIGHTS_CUH
#define KERNELS_GEMM16_EIGHTS_CUH

#include "kernels/gemm16/pair.cuh"
#include "kernels/gemm16/panels.cuh"

enum {
    EIGHT = 8,         /* columns that a thread stores at once */
    ROUND = 4 * EIGHT, /* and the four lanes of a row */
    EIGHTS_SHARED = SLOTS_BYTES + TENSOR_MAP_ALIGN,
    EIGHTS_STEP = 2, /* stores of 16 bytes in a step */
    EIGHTS_NONE = -1,
};

// ANCHOR: deal
/*
 * Four lanes have four words each: word q of lane t becomes word t of lane q.
 * First lanes 1 apart exchange what is theirs, then lanes 2 apart. All lanes
 * together.
 */
static __device__ __forceinline__ uint4 deal(uint4 w)
{
    const bool odd = threadIdx.x & 1, high = threadIdx.x & 2;
    uint32_t a = __shfl_xor_sync(~0u, odd ? w.x : w.y, 1);
    uint32_t b = __shfl_xor_sync(~0u, odd ? w.z : w.w, 1);

    w = odd ? make_uint4(a, w.y, b, w.w) : make_uint4(w.x, a, w.z, b);
    a = __shfl_xor_sync(~0u, high ? w.x : w.z, 2);
    b = __shfl_xor_sync(~0u, high ? w.y : w.w, 2);
    return high ? make_uint4(a, b, w.z, w.w) : make_uint4(w.x, w.y, a, b);
}
// ANCHOR_END: deal

/* Stores eight outputs of a row. C has all or none of these columns. */
static __device__ __forceinline__ void put_eight(const product &p, int row,
                                                 int col, uint4 eight)
{
    if (row < p.m && col < p.n)
        __stcs((uint4 *)(p.c + (size_t)row * p.n + col), eight);
}

/* What a warp group has still to store: rounded outputs, from (row, col) on. */
struct eights {
    uint32_t rounded[WIDE / 4];
    int row, col;
};

/* Stores the outputs of this step; or `rest`, all from `step` on. */
static __device__ __forceinline__ void eights_put(const eights &l, int step,
                                                  bool rest, const product &p)
{
    const int thread = threadIdx.x % WGMMA_GROUP, lane = thread % WARP;
    const int row = l.row + thread / WARP * 16 + lane / 4;
    const int col = l.col + lane % 4 * EIGHT;

    if (l.row == EIGHTS_NONE)
        return;
        // ANCHOR: put
#pragma unroll
    for (int i = 0; i < WIDE / ROUND * 2; i++) {
        const uint32_t *const pair = l.rounded + i / 2 * 8 + i % 2;

        if (rest ? i / EIGHTS_STEP >= step : i / EIGHTS_STEP == step)
            put_eight(p, row + i % 2 * 8, col + i / 2 * ROUND,
                      deal(make_uint4(pair[0], pair[2], pair[4], pair[6])));
    }
    // ANCHOR_END: put
}

/* Takes the sums of a tile at `at`. */
static __device__ __forceinline__ void
eights_take(eights &l, const float (&sum)[WIDE / 2], const place &at, int group)
{
    round_sums(l.rounded, sum);
    l.row = at.top + group * WGMMA_HIGH;
    l.col = at.left;
}

#endif

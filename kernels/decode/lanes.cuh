/*
 * kernels/decode/lanes.cuh - a block reads keys in pieces of 16 bytes, and has
 * eight keys of each warp under way.
 */
#ifndef KERNELS_DECODE_LANES_CUH
#define KERNELS_DECODE_LANES_CUH

#include "kernels/decode/scalar.cuh"

enum {
    LANES = DEEP / WIDTH,        /* that share a key */
    AHEAD = 4,                   /* keys of a lane under way */
    TURN = AHEAD * WARP / LANES, /* keys of a warp at a time */
};

// ANCHOR: attend
/* The block: keys `begin` to `end` of a row. Then the sums of its warps are in
 * shared memory. */
template <int G>
static __device__ __forceinline__ void
attend(lane_parts<G> &sums, const attention &a, const struct row &r,
       int begin_at, int end)
{
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const int mine = lane % LANES, half = lane / LANES;
    const size_t first = keys_of(a, r) + mine * WIDTH;
    held<G, WIDTH> x;

    begin(x, a, r, mine);
    for (int j = begin_at + warp * TURN; j < end; j += WARPS * TURN) {
        piece<WIDTH> k[AHEAD], v[AHEAD];

#pragma unroll
        for (int n = 0; n < AHEAD; n++) {
            const int key = min(j + n * WARP / LANES + half, end - 1);
            const size_t at = first + (size_t)key * DEEP;

            k[n] = read<WIDTH>(a.k + at);
            v[n] = read<WIDTH>(a.v + at);
        }
        take(x, a.scale, k, v, ceil_div(end - j - half, WARP / LANES));
    }
    join_lanes(x, LANES);
    show(sums, x);
}
// ANCHOR_END: attend

#endif

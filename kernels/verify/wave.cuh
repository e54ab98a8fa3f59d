/*
 * kernels/verify/wave.cuh - pieces so long that all blocks are at work at once.
 */
#ifndef KERNELS_VERIFY_WAVE_CUH
#define KERNELS_VERIFY_WAVE_CUH

#include "kernels/verify/pieces.cuh"

// ANCHOR: cut
/* As many pieces of a row as fit `blocks` blocks with those of all others, of
 * whole tiles. If there are more rows than blocks, each has one piece. */
static inline cut cut_for_wave(const draft &d, int blocks)
{
    const int fit = blocks / all_rows(d), tiles = ceil_div(d.a.l, SIDE);

    return cut_by(d, ceil_div(tiles, fit > 0 ? fit : 1) * SIDE);
}
// ANCHOR_END: cut

#endif

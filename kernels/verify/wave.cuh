/*
 * kernels/verify/wave.cuh - pieces so long that all blocks are at work at once.
 */
#ifndef KERNELS_VERIFY_WAVE_CUH
#define KERNELS_VERIFY_WAVE_CUH

#include "kernels/verify/pieces.cuh"

// ANCHOR: cut
/* As many pieces of a row as fit the SMs with those of all others, of whole
 * tiles. More rows than blocks that fit have one piece each. */
static inline cut cut_for_wave(const draft &d, int sms)
{
    const int fit = TOGETHER * sms / all_rows(d);
    const int tiles = ceil_div(d.a.l, SIDE);

    return cut_by(d, ceil_div(tiles, fit > 0 ? fit : 1) * SIDE);
}
// ANCHOR_END: cut

#endif

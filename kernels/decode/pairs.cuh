/*
 * kernels/decode/pairs.cuh - puts elements of two words together.
 */
#ifndef KERNELS_DECODE_PAIRS_CUH
#define KERNELS_DECODE_PAIRS_CUH

#include "kernels/ptx.cuh"

/* The lower halves of two words, or the upper ones: `one` comes first. [prmt]
 */
PTX_FN uint32_t ptx_pair_up(uint32_t one, uint32_t two, bool upper)
{
    return __byte_perm(one, two, upper ? 0x7632 : 0x5410);
}

/* Two bytes of each in turn, the lower ones or the upper ones. [prmt] */
PTX_FN uint32_t ptx_pair_bytes(uint32_t one, uint32_t two, bool upper)
{
    return __byte_perm(one, two, upper ? 0x7362 : 0x5140);
}

#endif

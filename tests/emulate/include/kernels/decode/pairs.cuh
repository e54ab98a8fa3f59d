/*
 * tests/emulate/include/kernels/decode/pairs.cuh - what the function of
 * kernels/decode/pairs.cuh does, for tests/emulate/machine.h. That header
 * describes it.
 */
#ifndef KERNELS_DECODE_PAIRS_CUH
#define KERNELS_DECODE_PAIRS_CUH

#include "kernels/ptx.cuh"

PTX_FN uint32_t ptx_pair_up(uint32_t one, uint32_t two, bool upper)
{
	return upper ? one >> 16 | (two & 0xffff0000u) : (one & 0xffffu) | two << 16;
}

#endif

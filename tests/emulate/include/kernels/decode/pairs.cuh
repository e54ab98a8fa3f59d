/*
 * tests/emulate/include/kernels/decode/pairs.cuh - what the functions of
 * kernels/decode/pairs.cuh do, for tests/emulate/machine.h. That header
 * describes them.
 */
#ifndef KERNELS_DECODE_PAIRS_CUH
#define KERNELS_DECODE_PAIRS_CUH

#include "kernels/ptx.cuh"

PTX_FN uint32_t ptx_pair_up(uint32_t one, uint32_t two, bool upper)
{
	return upper ? one >> 16 | (two & 0xffff0000u) : (one & 0xffffu) | two << 16;
}
PTX_FN uint32_t ptx_pair_bytes(uint32_t one, uint32_t two, bool upper)
{
	const int from = upper ? 16 : 0;
	uint32_t word = 0;

	for (int i = 0; i < 2; i++)
		word |= (one >> (from + 8 * i) & 0xff) << 16 * i | (two >> (from + 8 * i) & 0xff)
		                                                           << (16 * i + 8);
	return word;
}

#endif

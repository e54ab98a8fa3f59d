/*
 * tests/emulate/include/kernels/decode/ptx.cuh - what the function of
 * kernels/decode/ptx.cuh does, for tests/emulate/machine.h. That header
 * describes it.
 */
#ifndef KERNELS_DECODE_PTX_CUH
#define KERNELS_DECODE_PTX_CUH

#include "kernels/ptx.cuh"

PTX_FN uint32_t ptx_turn(uint32_t pair)
{
	const auto all = emu::exchange(&pair, sizeof pair, 0xffffffffu);
	const int lane = emu::now->lane, col = lane / 4;
	uint32_t turned = 0;

	for (int i = 0; i < 2; i++) {
		uint32_t from;

		memcpy(&from, all[(lane % 4 * 2 + i) * 4 + col / 2], sizeof from);
		turned |= (from >> col % 2 * 16 & 0xffff) << i * 16;
	}
	return turned;
}

#endif

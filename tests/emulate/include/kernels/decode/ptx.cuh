/*
 * tests/emulate/include/kernels/decode/ptx.cuh - what the functions of
 * kernels/decode/ptx.cuh do, for tests/emulate/machine.h. That header describes
 * them.
 */
#ifndef KERNELS_DECODE_PTX_CUH
#define KERNELS_DECODE_PTX_CUH

#include "kernels/e4m3.h"
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

PTX_FN uint32_t ptx_f16_pair(float first, float second)
{
	const _Float16 two[2] = {(_Float16)first, (_Float16)second};
	uint32_t word;

	memcpy(&word, two, sizeof word);
	return word;
}
PTX_FN uint32_t ptx_f16_of_e4m3(uint32_t two)
{
	return ptx_f16_pair((float)e4m3_value(two & 0xff), (float)e4m3_value(two >> 8 & 0xff));
}
PTX_FN uint32_t ptx_swap_middle(uint32_t word)
{
	return (word & 0xff0000ffu) | (word >> 8 & 0xff00u) | (word & 0xff00u) << 8;
}

PTX_FN void ptx_mma_f16(float d[4], const uint32_t a[4], uint32_t b0, uint32_t b1)
{
	const uint32_t mine[6] = {a[0], a[1], a[2], a[3], b0, b1};
	const auto all = emu::exchange(mine, sizeof mine, 0xffffffffu);
	const int g = emu::now->lane / 4, t = emu::now->lane % 4;

	for (int i = 0; i < 4; i++)
		for (int k = 0; k < 16; k++) {
			_Float16 of_a[12], of_b[12];

			memcpy(of_a, all[4 * g + k % 8 / 2], sizeof of_a);
			memcpy(of_b, all[4 * (2 * t + i % 2) + k % 8 / 2], sizeof of_b);
			d[i] += (float)of_a[2 * (k / 8 * 2 + i / 2) + k % 2] *
			        (float)of_b[2 * (4 + k / 8) + k % 2];
		}
}

#endif

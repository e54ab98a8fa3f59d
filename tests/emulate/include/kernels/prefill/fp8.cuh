/*
 * tests/emulate/include/kernels/prefill/fp8.cuh - what the functions of
 * kernels/prefill/fp8.cuh do, for tests/emulate/machine.h. That header
 * describes them.
 */
#ifndef KERNELS_PREFILL_FP8_CUH
#define KERNELS_PREFILL_FP8_CUH

#include "kernels/epilogue/convert.cuh"
#include "kernels/prefill/ptx.cuh"
#include "kernels/prefill/sums.cuh"

enum { FP8_DEEP = 32 };

template <int S> PTX_FN void wgmma_fp8(float (&d)[S], uint64_t a, uint64_t b, int keep)
{
	emu::wgmma_e4m3(d, 2 * S, a, b, keep);
}
PTX_FN void wgmma_fp8_held(float (&d)[64], const uint32_t (&a)[4], uint64_t b)
{
	emu::wgmma_e4m3_kept(d, 128, a, b, 1);
}
PTX_FN uint32_t bytes_of(uint32_t a, uint32_t b, uint32_t which)
{
	const uint64_t both = (uint64_t)b << 32 | a;
	uint32_t v = 0;

	for (int i = 0; i < 4; i++)
		v |= (uint32_t)(both >> (which >> 4 * i & 7) * 8 & 0xff) << 8 * i;
	return v;
}
PTX_FN uint32_t e4m3_four(float a, float b, float c, float d)
{
	return (uint32_t)e4m3_pair(a, b) | (uint32_t)e4m3_pair(c, d) << 16;
}

#endif

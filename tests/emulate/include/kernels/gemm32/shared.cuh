/*
 * tests/emulate/include/kernels/gemm32/shared.cuh - what the function of
 * kernels/gemm32/shared.cuh does, for tests/emulate/machine.h. That header
 * describes it.
 */
#ifndef KERNELS_GEMM32_SHARED_CUH
#define KERNELS_GEMM32_SHARED_CUH

#include "kernels/ptx.cuh"

PTX_FN float4 shared_four(uint32_t at)
{
	float4 v;

	if (at % 16 != 0)
		emu::fault("a load of 16 bytes at %u", at);
	memcpy(&v, emu::at(emu::now->block, at), sizeof v);
	return v;
}

#endif

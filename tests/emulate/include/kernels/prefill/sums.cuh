/*
 * tests/emulate/include/kernels/prefill/sums.cuh - what the functions of
 * kernels/prefill/sums.cuh do, for tests/emulate/machine.h. That header
 * describes them.
 */
#ifndef KERNELS_PREFILL_SUMS_CUH
#define KERNELS_PREFILL_SUMS_CUH

#include "kernels/prefill/wgmma.cuh"

PTX_FN void wgmma_kept(float (&d)[64], const uint32_t (&a)[4], uint64_t b, int keep)
{
	emu::wgmma_kept(d, 128, a, b, keep);
}
PTX_FN void wgmma_settled(float, float, void *)
{
}
PTX_FN float read_behind(const float *shared)
{
	return *shared;
}
PTX_FN int uniform(int v)
{
	return __shfl_sync(0xffffffffu, v, 0);
}

#endif

/*
 * tests/emulate/include/kernels/gemm8/wgmma.cuh - what the functions of
 * kernels/gemm8/wgmma.cuh do, for tests/emulate/machine.h. That header describes
 * them.
 */
#ifndef KERNELS_GEMM8_WGMMA_CUH
#define KERNELS_GEMM8_WGMMA_CUH

#include "kernels/wgmma.cuh"

template <int S> PTX_FN void wgmma_e4m3(float (&d)[S], uint64_t a, uint64_t b, int keep)
{
	emu::wgmma_e4m3(d, 2 * S, a, b, keep);
}
template <int S> PTX_FN void wgmma_landed(float (&)[S])
{
}

#endif

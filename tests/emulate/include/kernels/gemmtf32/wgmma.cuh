/*
 * tests/emulate/include/kernels/gemmtf32/wgmma.cuh - what the functions of
 * kernels/gemmtf32/wgmma.cuh do, for tests/emulate/machine.h. That header
 * describes them.
 */
#ifndef KERNELS_GEMMTF32_WGMMA_CUH
#define KERNELS_GEMMTF32_WGMMA_CUH

#include "kernels/wgmma.cuh"

enum { WGMMA_TF32_DEEP = 8 };

template <int S> PTX_FN void wgmma_tf32(float (&d)[S], uint64_t a, uint64_t b, int keep)
{
	emu::wgmma_tf32(d, 2 * S, nullptr, a, b, keep);
}
template <int S> PTX_FN void wgmma_tf32(float (&d)[S], const uint32_t (&a)[4], uint64_t b, int keep)
{
	emu::wgmma_tf32(d, 2 * S, a, 0, b, keep);
}
PTX_FN void wgmma_ready(uint32_t (&)[4])
{
}
PTX_FN void wgmma_landed(float (&)[64])
{
}

PTX_FN void ptx_mma_tf32(float d[4], const uint32_t a[4], uint32_t b0, uint32_t b1)
{
	emu::mma_tf32(d, a, b0, b1);
}

#endif

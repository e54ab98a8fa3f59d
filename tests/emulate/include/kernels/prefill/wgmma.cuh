/*
 * tests/emulate/include/kernels/prefill/wgmma.cuh - what the functions of
 * kernels/prefill/wgmma.cuh do, for tests/emulate/machine.h. That header
 * describes them.
 */
#ifndef KERNELS_PREFILL_WGMMA_CUH
#define KERNELS_PREFILL_WGMMA_CUH

#include "kernels/wgmma.cuh"

PTX_FN uint64_t wgmma_values(const void *p, int panel_bytes)
{
	return (uint64_t)(ptx_smem(p) >> 4 & 0x3fff) | (uint64_t)(panel_bytes >> 4) << 16 |
	       (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 62;
}
PTX_FN uint64_t wgmma_values_along(uint64_t tile, int step)
{
	return tile + (uint64_t)(step * WGMMA_DEEP * 128 >> 4);
}
template <int S> PTX_FN void wgmma_held(float (&d)[S], const uint32_t (&a)[4], uint64_t b)
{
	emu::wgmma_held(d, 2 * S, a, b);
}
template <int S> PTX_FN void wgmma_landed(float (&)[S])
{
}
template <int S> PTX_FN void wgmma_ready(float (&)[S])
{
}
template <int N> PTX_FN void wgmma_ready(uint32_t (&)[N][4])
{
}

#endif

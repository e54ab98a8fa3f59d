/*
 * tests/emulate/include/kernels/ceilings/wgmma_n.cuh - what the functions of
 * kernels/ceilings/wgmma_n.cuh do, for tests/emulate/machine.h. That header
 * describes them.
 */
#ifndef KERNELS_CEILINGS_WGMMA_N_CUH
#define KERNELS_CEILINGS_WGMMA_N_CUH

#include "kernels/wgmma.cuh"

struct wgmma_n_bf16 {
	template <int S> PTX_FN void multiply(float (&d)[S], uint64_t a, uint64_t b, int keep)
	{
		emu::wgmma(d, 2 * S, a, b, keep);
	}
	template <int S>
	PTX_FN void multiply(float (&d)[S], const uint32_t (&a)[4], uint64_t b, int keep)
	{
		emu::wgmma_kept(d, 2 * S, a, b, keep);
	}
};

struct wgmma_n_e4m3 {
	template <int S> PTX_FN void multiply(float (&d)[S], uint64_t a, uint64_t b, int keep)
	{
		emu::wgmma_e4m3(d, 2 * S, a, b, keep);
	}
	template <int S>
	PTX_FN void multiply(float (&d)[S], const uint32_t (&a)[4], uint64_t b, int keep)
	{
		emu::wgmma_e4m3_kept(d, 2 * S, a, b, keep);
	}
};

#endif

/*
 * tests/emulate/include/kernels/prefill/ptx.cuh - what the function of
 * kernels/prefill/ptx.cuh does, for tests/emulate/machine.h. That header
 * describes it.
 */
#ifndef KERNELS_PREFILL_PTX_CUH
#define KERNELS_PREFILL_PTX_CUH

#include "kernels/ptx.cuh"

PTX_FN void ptx_ldmatrix_turned(uint32_t r[4], const void *row)
{
	emu::ldmatrix_turned(r, row);
}

#endif

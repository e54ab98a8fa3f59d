/*
 * tests/emulate/include/kernels/overlap/ptx.cuh - what the functions of
 * kernels/overlap/ptx.cuh do, for tests/emulate/machine.h. That header
 * describes them. Threads run one after the other, so no fence does anything.
 */
#ifndef KERNELS_OVERLAP_PTX_CUH
#define KERNELS_OVERLAP_PTX_CUH

#include "kernels/ptx.cuh"

PTX_FN void ptx_flag_send(uint32_t *flag, uint32_t ticket)
{
	*flag = ticket;
}
PTX_FN uint32_t ptx_flag_load(const uint32_t *flag)
{
	return *flag;
}
PTX_FN void ptx_count_up(uint32_t *counter)
{
	++*counter;
}
PTX_FN void ptx_fence_async_all(void)
{
}

#endif

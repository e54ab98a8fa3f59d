/*
 * tests/emulate/include/kernels/allreduce/ptx.cuh - what the functions of
 * kernels/allreduce/ptx.cuh do, for tests/emulate/machine.h. That header
 * describes them. Threads run one after the other, so no fence does anything.
 */
#ifndef KERNELS_ALLREDUCE_PTX_CUH
#define KERNELS_ALLREDUCE_PTX_CUH

#include "kernels/ptx.cuh"

PTX_FN void ptx_flag_send(uint32_t *flag, uint32_t ticket)
{
	*flag = ticket;
}
PTX_FN uint32_t ptx_flag_load(const uint32_t *flag)
{
	return *flag;
}

struct alignas(16) packet {
	uint32_t word[3], ticket;
};

PTX_FN void ptx_packet_store(packet *to, const packet &p)
{
	*to = p;
}
PTX_FN packet ptx_packet_load(const packet *from)
{
	return *from;
}

PTX_FN void ptx_fence_async_all(void)
{
}

#endif

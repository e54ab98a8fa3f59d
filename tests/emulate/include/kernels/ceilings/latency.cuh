/*
 * tests/emulate/include/kernels/ceilings/latency.cuh - what the functions of
 * kernels/ceilings/latency.cuh do, for tests/emulate/machine.h. That header
 * describes them.
 */
#ifndef KERNELS_CEILINGS_LATENCY_CUH
#define KERNELS_CEILINGS_LATENCY_CUH

#include "kernels/ceilings/latency.h"
#include "kernels/ptx.cuh"

struct through_l1 {
	static const latency_link *next(const latency_link *at)
	{
		return at->next;
	}
};

typedef through_l1 past_l1;

PTX_FN uint32_t next_shared(uint32_t at)
{
	uint32_t to;

	memcpy(&to, emu::at(emu::now->block, at), sizeof to);
	return to;
}

#endif

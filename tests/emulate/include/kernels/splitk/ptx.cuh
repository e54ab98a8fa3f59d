/*
 * tests/emulate/include/kernels/splitk/ptx.cuh - what the functions of
 * kernels/splitk/ptx.cuh do, for tests/emulate/machine.h. That header describes
 * them.
 */
#ifndef KERNELS_SPLITK_PTX_CUH
#define KERNELS_SPLITK_PTX_CUH

#include "kernels/wgmma.cuh"

/* One thread runs at a time, so both additions are atomic. */
PTX_FN void part_add(float2 *to, float first, float second)
{
	to->x += first;
	to->y += second;
}
PTX_FN uint32_t part_arrive(uint32_t *count)
{
	return (*count)++;
}
PTX_FN float4 cluster_load(const float4 *p, uint32_t rank)
{
	emu::block *const there = emu::now->block->cluster->blocks.at(rank);
	float4 v;

	memcpy(&v, emu::at(there, ptx_smem(p)), sizeof v);
	return v;
}

#endif

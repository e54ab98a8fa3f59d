/*
 * tests/emulate/include/kernels/barrier.cuh - the counter of kernels/barrier.cuh,
 * for tests/emulate/machine.h. That header describes it.
 */
#ifndef KERNELS_BARRIER_CUH
#define KERNELS_BARRIER_CUH

#include "kernels/ptx.cuh"

#define BARRIER_TURN 0x80000000u

enum { BARRIER_ADDER = 0, BARRIER_LOOKER = 32 };

PTX_FN unsigned barrier_share(unsigned who, unsigned parties)
{
	return who == 0 ? BARRIER_TURN - (parties - 1) : 1;
}
PTX_FN void barrier_add(unsigned *count, unsigned share)
{
	*count += share;
}
PTX_FN unsigned barrier_begin(const unsigned *count)
{
	return *count & BARRIER_TURN;
}
PTX_FN void barrier_wait(const unsigned *count, unsigned turn)
{
	while ((*(const volatile unsigned *)count & BARRIER_TURN) != turn)
		emu::pause();
	emu::seen();
}

#endif

/*
 * tests/emulate/include/kernels/peer.cuh - the wait of kernels/peer.cuh, for
 * tests/emulate/machine.h. That header describes it.
 */
#ifndef KERNELS_PEER_CUH
#define KERNELS_PEER_CUH

#include "kernels/ptx.cuh"

template <typename ARRIVED> PTX_FN void peer_spin_until(ARRIVED arrived)
{
	while (!arrived())
		emu::pause();
	emu::seen();
}

#endif

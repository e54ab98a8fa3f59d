/*
 * tests/emulate/include/kernels/mla/wgmma.cuh - what the functions of
 * kernels/mla/wgmma.cuh do, for tests/emulate/machine.h: those of
 * kernels/prefill/wgmma.cuh have any width there.
 */
#ifndef KERNELS_MLA_WGMMA_CUH
#define KERNELS_MLA_WGMMA_CUH

#include "kernels/prefill/wgmma.cuh"

#endif

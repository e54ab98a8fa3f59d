/*
 * tests/emulate/include/kernels/epilogue/convert.cuh - what the function of
 * kernels/epilogue/convert.cuh does, for tests/emulate/machine.h. That header
 * describes it.
 */
#ifndef KERNELS_EPILOGUE_CONVERT_CUH
#define KERNELS_EPILOGUE_CONVERT_CUH

#include <cmath>

#include "kernels/e4m3.h"
#include "kernels/ptx.cuh"

/* Below 2^-50 all is zero, and beyond 2^12 all is 448. */
static inline unsigned emulate_e4m3(float x)
{
	if (std::isnan(x))
		return E4M3_NAN;
	return e4m3_nearest((int64_t)ldexp((double)fmaxf(-4096, fminf(x, 4096)), 50), -50);
}

PTX_FN uint16_t e4m3_pair(float first, float second)
{
	return (uint16_t)(emulate_e4m3(second) << 8 | emulate_e4m3(first));
}

#endif

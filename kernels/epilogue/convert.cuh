/*
 * kernels/epilogue/convert.cuh - from f32 to FP8, two at a time.
 */
#ifndef KERNELS_EPILOGUE_CONVERT_CUH
#define KERNELS_EPILOGUE_CONVERT_CUH

#include "kernels/ptx.cuh"

/* Two e4m3 side by side, `first` in the low byte: rounded to nearest, ties to
 * even, and 448 for what is larger [data movement and conversion: cvt]. */
PTX_FN uint16_t e4m3_pair(float first, float second)
{
    uint16_t pair;

    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;"
        : "=h"(pair)
        : "f"(second), "f"(first));
    return pair;
}

#endif

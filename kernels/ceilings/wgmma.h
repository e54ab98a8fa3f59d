/* kernels/ceilings/wgmma.h - tile and formats, host and device. */
#ifndef KERNELS_CEILINGS_WGMMA_H
#define KERNELS_CEILINGS_WGMMA_H

#include <string.h>

#include "kernels/kernel.h"

enum {
    WGMMA_ROWS = 64,
    WGMMA_COLS = 128,
    WGMMA_BYTES = 32, /* depth of an instruction, whatever the format */
    WGMMA_BATCH = 8,  /* instructions that follow each other without a wait */
    /* Inputs are multiples of 2^-7 in [-1, 1): all formats but FP8 hold them;
       that gets them rounded down to multiples of 1/8. */
    WGMMA_FP8_STEPS = 8,
    WGMMA_INT8_STEPS = 128,
};

enum wgmma_unit { WGMMA_BF16, WGMMA_FP16, WGMMA_TF32, WGMMA_FP8, WGMMA_INT8 };

static inline enum wgmma_unit wgmma_unit_of(const struct kernel_case *c)
{
    const char *const unit = kernel_word(c, "unit");

    return strcmp(unit, "bf16") == 0   ? WGMMA_BF16
           : strcmp(unit, "fp16") == 0 ? WGMMA_FP16
           : strcmp(unit, "tf32") == 0 ? WGMMA_TF32
           : strcmp(unit, "fp8") == 0  ? WGMMA_FP8
                                       : WGMMA_INT8;
}

#endif

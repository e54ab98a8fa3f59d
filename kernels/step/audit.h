/*
 * kernels/step/audit.h - the check of a step's results, for all variants. A
 * runner that is built without CUDA does not have these functions.
 */
#ifndef KERNELS_STEP_AUDIT_H
#define KERNELS_STEP_AUDIT_H

#include "kernels/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills the trace with NaN, in the stream. Returns 0 or a cudaError_t. */
__attribute__((weak)) int step_spoil(const struct kernel_case *c,
                                     void *const *buf, void *stream);

/*
 * Computes every stage anew in fp64, from what the trace has of the stage
 * before, and writes to `wrong` how many elements of each vector are off by
 * more than rounding allows; audit.cu derives how much. Copies the logits where
 * the case shows them. Returns 0 or a cudaError_t.
 */
__attribute__((weak)) int step_collect(const struct kernel_case *c,
                                       void *const *buf, void *stream);

#ifdef __cplusplus
}
#endif
#endif

/*
 * kernels/sectors/scalar.h - the launcher of sectors/scalar, for variants that
 * launch the same kernel under other circumstances.
 */
#ifndef KERNELS_SECTORS_SCALAR_H
#define KERNELS_SECTORS_SCALAR_H

#include "kernels/kernel.h"

#ifdef __cplusplus
extern "C"
#endif
    int
    sectors_scalar(const struct kernel_case *c, const struct kernel_env *env,
                   void *const *buf, void *state);

#endif

/*
 * kernels/declare.h - declares the functions that a table of variants names.
 *
 * LAUNCHER, SCRATCH, PREPARE, CHOSEN and RELEASE declare functions of .cu files
 * and declare them weak: a runner that is linked without CUDA finds NULL in
 * their places and lists the variant as not built here. A variant in C is part
 * of every runner, so C_LAUNCHER declares it as usual. kernel.h says what each
 * function does.
 */
#ifndef KERNELS_DECLARE_H
#define KERNELS_DECLARE_H

#include "kernels/kernel.h"

#define C_LAUNCHER(name)                                                \
    int name(const struct kernel_case *c, const struct kernel_env *env, \
             void *const *buf, void *state)
#define LAUNCHER(name) __attribute__((weak)) C_LAUNCHER(name)
#define SCRATCH(name)                                              \
    __attribute__((weak)) size_t name(const struct kernel_case *c, \
                                      const struct kernel_env *env)
#define PREPARE(name)                                                    \
    __attribute__((weak)) const char *name(const struct kernel_case *c,  \
                                           const struct kernel_env *env, \
                                           void *const *buf, void **state)
#define CHOSEN(name) __attribute__((weak)) const char *name(void *state)
#define RELEASE(name) __attribute__((weak)) void name(void *state)

#endif

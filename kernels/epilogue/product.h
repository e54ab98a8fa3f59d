/*
 * kernels/epilogue/product.h - the product of epilogue/plain, for steps that
 * have it written to scratch memory and read it again.
 */
#ifndef KERNELS_EPILOGUE_PRODUCT_H
#define KERNELS_EPILOGUE_PRODUCT_H

#include "kernels/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of the product. */
size_t epilogue_product_scratch(const struct kernel_case *c,
                                const struct kernel_env *env);

/* As prepare(), for a product that goes to `to`; epilogue_plain() then puts it
 * there. */
const char *epilogue_product_prepare(const struct kernel_case *c,
                                     void *const *buf, void *to, void **state);

int epilogue_plain(const struct kernel_case *c, const struct kernel_env *env,
                   void *const *buf, void *state);

#ifdef __cplusplus
}
#endif
#endif

#include "kernels/triton_product.h"

/* kernels/triton_product.py, with a zero behind it. */
extern const char triton_product_script[] __attribute__((visibility("hidden")));
__asm__(".pushsection .rodata\n"
        ".globl triton_product_script\n"
        ".hidden triton_product_script\n"
        "triton_product_script:\n"
        ".incbin \"kernels/triton_product.py\"\n"
        ".byte 0\n"
        ".popsection\n");

const char *triton_product_prepare(const char *name,
                                   const struct kernel_case *c,
                                   const struct kernel_env *env,
                                   void *const *buf, void **state)
{
    const struct python_product module = {"ridgepoint_triton_product",
                                          "<kernels/triton_product.py>",
                                          triton_product_script};

    return python_product_prepare(&module, name, c, env, buf, state);
}

#include "kernels/torch_product.h"

/* kernels/torch_product.py, with a zero behind it. */
extern const char torch_product_script[] __attribute__((visibility("hidden")));
__asm__(".pushsection .rodata\n"
        ".globl torch_product_script\n"
        ".hidden torch_product_script\n"
        "torch_product_script:\n"
        ".incbin \"kernels/torch_product.py\"\n"
        ".byte 0\n"
        ".popsection\n");

const char *torch_product_prepare(const char *name, const struct kernel_case *c,
                                  const struct kernel_env *env,
                                  void *const *buf, void **state)
{
    const struct python_product module = {"ridgepoint_torch_product",
                                          "<kernels/torch_product.py>",
                                          torch_product_script};

    return python_product_prepare(&module, name, c, env, buf, state);
}

#include "kernels/triton_attention.h"

/* kernels/triton_attention.py, with a zero behind it. */
extern const char triton_attention_script[]
    __attribute__((visibility("hidden")));
__asm__(".pushsection .rodata\n"
        ".globl triton_attention_script\n"
        ".hidden triton_attention_script\n"
        "triton_attention_script:\n"
        ".incbin \"kernels/triton_attention.py\"\n"
        ".byte 0\n"
        ".popsection\n");

const char *triton_attention_prepare(const char *name,
                                     const struct kernel_case *c,
                                     const struct kernel_env *env,
                                     void *const *buf, void **state)
{
    const struct python_product module = {"ridgepoint_triton_attention",
                                          "<kernels/triton_attention.py>",
                                          triton_attention_script};

    return python_product_prepare(&module, name, c, env, buf, state);
}

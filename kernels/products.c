/*
 * kernels/products.c - the families whose cases are matrix products.
 *
 * How to add one: a function like gemv_product() in its family.c, its
 * declaration in kernels/product.h, and a row here. The runner then checks its
 * cases bit for bit (docs/checking.md).
 */
#include <string.h>

#include "kernels/product.h"

static const struct {
    const char *family;
    bool (*product)(const struct kernel_case *c, struct kernel_product *p);
} products[] = {
    {"gemv", gemv_product},
    {"gemm32", gemm32_product},
    {"gemmtf32", gemmtf32_product},
    {"gemm16", gemm16_product},
    {"gemm8", gemm8_product},
    {"epilogue", epilogue_product},
    {"splitk", splitk_product},
    {"grouped", grouped_product},
    {"ceiling-tensor", ceiling_tensor_product},
    {"ceiling-wgmma-fed", ceiling_fed_product},
    {"ceiling-wgmma-width", ceiling_width_product},
};

bool kernel_product(const struct kernel_family *f, const struct kernel_case *c,
                    struct kernel_product *p)
{
    for (size_t i = 0; i < sizeof products / sizeof products[0]; i++)
        if (strcmp(products[i].family, f->id) == 0)
            return products[i].product(c, p);
    return false;
}

bool kernel_groups(const struct kernel_family *f, const struct kernel_case *c,
                   struct kernel_groups *g)
{
    return strcmp(f->id, "grouped") == 0 && grouped_groups(c, g);
}

/*
 * kernels/dtype.c - the table of element types.
 *
 * How to add one: a row here, a name in kernel.h, and what
 * runner/device/element.h and runner/measure/check.c ask of every type.
 */
#include "kernels/kernel.h"

static const struct {
    const char *name;
    size_t bytes;
    int poison;
} dtypes[KERNEL_DTYPE_COUNT] = {
    [KERNEL_F32] = {"f32", 4, 0xff},   /* NaN */
    [KERNEL_BF16] = {"bf16", 2, 0xff}, /* NaN */
    [KERNEL_I32] = {"i32", 4, 0xff},   /* -1: outputs are counts */
    [KERNEL_U8] = {"u8", 1, 0xff},     /* no output */
    [KERNEL_I8] = {"i8", 1, 0x80},     /* -128 */
    [KERNEL_E4M3] = {"e4m3", 1, 0xff}, /* NaN */
};

const char *kernel_dtype_name(enum kernel_dtype t)
{
    return dtypes[t].name;
}

size_t kernel_dtype_bytes(enum kernel_dtype t)
{
    return dtypes[t].bytes;
}

int kernel_dtype_poison(enum kernel_dtype t)
{
    return dtypes[t].poison;
}

/*
 * kernels/families.c - the table of families, and look-ups over it.
 *
 * How to add a family: kernels/kernel.h says it in four steps; the row is
 * the third.
 */
#include "kernels/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct kernel_family stream_family;
extern const struct kernel_family occupancy_family;
extern const struct kernel_family sectors_family;
extern const struct kernel_family transpose_family;
extern const struct kernel_family reduce_family;
extern const struct kernel_family scan_family;
extern const struct kernel_family gemv_family;
extern const struct kernel_family elementwise_family;
extern const struct kernel_family softmax_family;
extern const struct kernel_family histogram_family;
extern const struct kernel_family atomics_family;
extern const struct kernel_family launch_family;

static const struct kernel_family *const families[] = {
    &stream_family,
    &occupancy_family,
    &sectors_family,
    &transpose_family,
    &reduce_family,
    &scan_family,
    &gemv_family,
    &elementwise_family,
    &softmax_family,
    &histogram_family,
    &atomics_family,
    &launch_family,
};

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

static const struct kernel_param *param(const struct kernel_case *c,
                                        const char *name)
{
    for (int i = 0; i < c->nparams; i++)
        if (strcmp(c->param[i].name, name) == 0)
            return &c->param[i];
    fprintf(stderr, "kernels: a case has no parameter '%s'\n", name);
    abort();
}

int64_t kernel_num(const struct kernel_case *c, const char *name)
{
    return param(c, name)->num;
}

const char *kernel_word(const struct kernel_case *c, const char *name)
{
    return param(c, name)->word;
}

const struct kernel_family *const *kernel_families(size_t *n)
{
    *n = sizeof families / sizeof families[0];
    return families;
}

const struct kernel_family *kernel_family_find(const char *id)
{
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        if (strcmp(families[i]->id, id) == 0)
            return families[i];
    return NULL;
}

const struct kernel_variant *kernel_variant_find(const struct kernel_family *f,
                                                 const char *id)
{
    for (size_t i = 0; i < f->nvariants; i++)
        if (strcmp(f->variants[i].id, id) == 0)
            return &f->variants[i];
    return NULL;
}

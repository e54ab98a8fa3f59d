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
extern const struct kernel_family mix_family;
extern const struct kernel_family occupancy_family;
extern const struct kernel_family sectors_family;
extern const struct kernel_family transpose_family;
extern const struct kernel_family reduce_family;
extern const struct kernel_family scan_family;
extern const struct kernel_family gemv_family;
extern const struct kernel_family gemm16_family;
extern const struct kernel_family elementwise_family;
extern const struct kernel_family quantize_family;
extern const struct kernel_family softmax_family;
extern const struct kernel_family norm_family;
extern const struct kernel_family histogram_family;
extern const struct kernel_family atomics_family;
extern const struct kernel_family launch_family;
extern const struct kernel_family coop_family;

static const struct kernel_family *const families[] = {
    &stream_family,    &mix_family,         &occupancy_family, &sectors_family,
    &transpose_family, &reduce_family,      &scan_family,      &gemv_family,
    &gemm16_family,    &elementwise_family, &quantize_family,  &softmax_family,
    &norm_family,      &histogram_family,   &atomics_family,   &launch_family,
    &coop_family,
};

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

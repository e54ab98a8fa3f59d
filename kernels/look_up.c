/* kernels/look_up.c - look-ups over cases, families and variants. */
#include "kernels/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

const struct kernel_family *kernel_family_find(const char *id)
{
    size_t n;
    const struct kernel_family *const *f = kernel_families(&n);

    for (size_t i = 0; i < n; i++)
        if (strcmp(f[i]->id, id) == 0)
            return f[i];
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

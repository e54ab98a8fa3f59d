/* kernels/knob.c - the cases of a sweep. */
#include "kernels/knob.h"

#include <string.h>

int kernel_knob_values(const struct kernel_knob *k)
{
    int n = 0;

    while (n < KERNEL_KNOB_VALUES && k->value[n] != 0)
        n++;
    return n;
}

bool kernel_knob_case(const struct kernel_knob *k, const struct kernel_case *c,
                      int i, struct kernel_case *out)
{
    *out = *c;
    for (int p = 0; p < c->nparams; p++)
        if (strcmp(c->param[p].name, k->name) == 0)
            return false;
    if (c->nparams == KERNEL_MAX_PARAMS)
        return false;
    out->param[out->nparams++] =
        (struct kernel_param){k->name, k->value[i], NULL};
    return true;
}

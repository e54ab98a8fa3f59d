/* kernels/gpus.c - the number of GPUs that do a case. */
#include <string.h>

#include "kernels/kernel.h"

int kernel_gpus(const struct kernel_case *c)
{
    for (int i = 0; i < c->nparams; i++)
        if (strcmp(c->param[i].name, "gpus") == 0)
            return (int)c->param[i].num;
    return 1;
}

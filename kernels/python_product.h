/*
 * kernels/python_product.h - what peers of matrix products in Python share:
 * how their modules join kernels/torch.py, and how they say why not.
 *
 * Their scripts are kernels/torch_product.py and kernels/triton_product.py,
 * apart from kernels/torch.py and kernels/triton.py: a change in one of them
 * makes the numbers of its own rows stale, and no others.
 */
#ifndef KERNELS_PYTHON_PRODUCT_H
#define KERNELS_PYTHON_PRODUCT_H

#include "kernels/torch.h"

/* A module: its name in Python, its file as messages show it, its text. */
struct python_product {
    const char *module, *file, *text;
};

/*
 * A variant's prepare(): loads the module, once in a process, and sets up the
 * row `name` that it has added to the table of kernels/torch.py. Returns NULL,
 * or why not, which lasts as long as the process: a sentence of
 * kernels/torch.c, or the kind and the text of Python's exception, whose
 * traceback is on stderr. launch(), release(), library() and chosen() are
 * those of kernels/torch.h.
 */
const char *python_product_prepare(const struct python_product *of,
                                   const char *name,
                                   const struct kernel_case *c,
                                   const struct kernel_env *env,
                                   void *const *buf, void **state);

#endif

/*
 * kernels/torch_product.h - PyTorch as a peer of the matrix products.
 *
 * kernels/torch_product.py joins kernels/torch.py in the same interpreter. A
 * row that this PyTorch does not have is not available and says why.
 *
 * How to add it to a family: a function in kernels/torch_product.py, a line of
 * its table, and here
 *     TORCH_PRODUCT(function, "name in that table")
 * before the family's table of variants, with a row of TORCH_PRODUCT_ROW in it.
 */
#ifndef KERNELS_TORCH_PRODUCT_H
#define KERNELS_TORCH_PRODUCT_H

#include "kernels/python_product.h"

/* A variant's prepare(): sets up the row `name` of kernels/torch_product.py.
 * See python_product_prepare(). */
const char *torch_product_prepare(const char *name, const struct kernel_case *c,
                                  const struct kernel_env *env,
                                  void *const *buf, void **state);

/* The prepare() function of a family's row. */
#define TORCH_PRODUCT(function, name)                           \
    static const char *function(const struct kernel_case *c,    \
                                const struct kernel_env *env,   \
                                void *const *buf, void **state) \
    {                                                           \
        return torch_product_prepare(name, c, env, buf, state); \
    }

/* A row of a table of variants; `cases` is its supports(). */
#define TORCH_PRODUCT_ROW(row_id, row_title, prepares, cases, what)           \
    {                                                                         \
        .id = row_id, .title = row_title, .idea = what, .where = KERNEL_CUDA, \
        .role = KERNEL_PEER, .file = "kernels/torch_product.c",               \
        .supports = cases, .preload = torch_preload, .prepare = prepares,     \
        .launch = torch_launch, .release = torch_release,                     \
        .library = torch_library,                                             \
    }

/* The same where the compiler tries what is fastest, once for the run. */
#define TORCH_TUNED_ROW(prepares, cases, what)                                 \
    {                                                                          \
        .id = "torch_max", .title = "torch.compile, max-autotune",             \
        .idea = what, .where = KERNEL_CUDA, .role = KERNEL_PEER,               \
        .file = "kernels/torch_product.c", .supports = cases,                  \
        .preload = torch_preload, .prepare = prepares, .launch = torch_launch, \
        .release = torch_release, .library = torch_library,                    \
        .chosen = torch_chosen, .chooses = KERNEL_CHOOSES_ONCE,                \
    }

#endif

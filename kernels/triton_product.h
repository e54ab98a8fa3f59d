/*
 * kernels/triton_product.h - matrix products in Triton as a peer: the kernel
 * that its user writes for tensor cores, persistent and fed by the TMA.
 *
 * It stands in kernels/triton_product.py, which joins kernels/torch.py in the
 * same interpreter. prepare() tries a few tiles; the run does that once, and
 * all its processes use the best, which is recorded. Where Python, PyTorch or
 * a Triton with tensor descriptors is missing it is not available and says why.
 *
 * How to add it to a family: a line in the table of kernels/triton_product.py,
 * `TRITON_PRODUCT(family)` before the family's table of variants, and
 *     TRITON_PRODUCT_ROW(family, supports, "what it does"),
 */
#ifndef KERNELS_TRITON_PRODUCT_H
#define KERNELS_TRITON_PRODUCT_H

#include "kernels/python_product.h"

/* A variant's prepare(): sets up the row `name` of kernels/triton_product.py.
 * See python_product_prepare(). */
const char *triton_product_prepare(const char *name,
                                   const struct kernel_case *c,
                                   const struct kernel_env *env,
                                   void *const *buf, void **state);

/* The prepare() function of a family's row. */
#define TRITON_PRODUCT(family)                                                \
    static const char *family##_triton(const struct kernel_case *c,           \
                                       const struct kernel_env *env,          \
                                       void *const *buf, void **state)        \
    {                                                                         \
        return triton_product_prepare("triton " #family, c, env, buf, state); \
    }

/* A row of a table of variants; `cases` is its supports(). */
#define TRITON_PRODUCT_ROW(family, cases, what)                                \
    {                                                                          \
        .id = "triton", .title = "Triton", .idea = what, .where = KERNEL_CUDA, \
        .role = KERNEL_PEER, .file = "kernels/triton_product.c",               \
        .supports = cases, .preload = torch_preload,                           \
        .prepare = family##_triton, .launch = torch_launch,                    \
        .release = torch_release, .library = torch_library,                    \
        .chosen = torch_chosen, .chooses = KERNEL_CHOOSES_ONCE,                \
    }

#endif

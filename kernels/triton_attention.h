/*
 * kernels/triton_attention.h - attention in Triton as a peer: the online
 * softmax that its user writes, with tiles by the TMA.
 *
 * It stands in kernels/triton_attention.py, which joins kernels/torch.py in the
 * same interpreter. prepare() tries a few tiles; the run does that once, and
 * all its processes use the best, which is recorded. Where Python, PyTorch or
 * a Triton with tensor descriptors is missing it is not available and says why.
 *
 * How to add it to a family: a line in the table of
 * kernels/triton_attention.py, `TRITON_ATTENTION(family)` before the family's
 * table of variants, and
 *     TRITON_ATTENTION_ROW(family, supports, "what it does"),
 */
#ifndef KERNELS_TRITON_ATTENTION_H
#define KERNELS_TRITON_ATTENTION_H

#include "kernels/python_product.h"

/* A variant's prepare(): sets up the row `name` of kernels/triton_attention.py.
 * See python_product_prepare(). */
const char *triton_attention_prepare(const char *name,
                                     const struct kernel_case *c,
                                     const struct kernel_env *env,
                                     void *const *buf, void **state);

/* The prepare() function of a family's row. */
#define TRITON_ATTENTION(family)                                        \
    static const char *family##_triton(const struct kernel_case *c,     \
                                       const struct kernel_env *env,    \
                                       void *const *buf, void **state)  \
    {                                                                   \
        return triton_attention_prepare("triton " #family, c, env, buf, \
                                        state);                         \
    }

/* A row of a table of variants; `cases` is its supports(). */
#define TRITON_ATTENTION_ROW(family, cases, what)                              \
    {                                                                          \
        .id = "triton", .title = "Triton", .idea = what, .where = KERNEL_CUDA, \
        .role = KERNEL_PEER, .file = "kernels/triton_attention.c",             \
        .supports = cases, .preload = torch_preload,                           \
        .prepare = family##_triton, .launch = torch_launch,                    \
        .release = torch_release, .library = torch_library,                    \
        .chosen = torch_chosen, .chooses = KERNEL_CHOOSES_ONCE,                \
    }

#endif

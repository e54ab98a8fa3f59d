/*
 * kernels/triton.h - kernels in Triton as a peer: what its user writes.
 *
 * They stand in kernels/triton.py, which joins kernels/torch.py in the same
 * interpreter, for Triton takes its operands and its stream from PyTorch. So
 * the peer has the runner's buffers, stopwatch, graphs and checks, and where
 * Python, PyTorch or Triton is missing it is not available and says so. A
 * kernel is compiled by prepare(), which also tries a few configurations. The
 * run does that once; all its processes then use the best, which is recorded.
 *
 * How to add it to a family: a function in kernels/triton.py, a row of its
 * table, `TRITON_PEER(family)` before the family's table of variants, and
 *     TRITON_ROW(family, supports, "what it does"),
 */
#ifndef KERNELS_TRITON_H
#define KERNELS_TRITON_H

#include "kernels/torch.h"

/*
 * A variant's prepare(): sets up the row `name` of the table in
 * kernels/triton.py. Returns NULL, or a static sentence why not; Python's own
 * message is on stderr. launch(), release(), library() and chosen() are
 * PyTorch's.
 */
const char *triton_prepare(const char *name, const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void **state);

/* The prepare() function of a family's row. */
#define TRITON_PEER(family)                                            \
    static const char *family##_triton(const struct kernel_case *c,    \
                                       const struct kernel_env *env,   \
                                       void *const *buf, void **state) \
    {                                                                  \
        return triton_prepare("triton " #family, c, env, buf, state);  \
    }

/* A row of a table of variants; `cases` is its supports(). */
#define TRITON_ROW(family, cases, what)                                        \
    {                                                                          \
        .id = "triton", .title = "Triton", .idea = what, .where = KERNEL_CUDA, \
        .role = KERNEL_PEER, .file = "kernels/triton.c", .supports = cases,    \
        .preload = torch_preload, .prepare = family##_triton,                  \
        .launch = torch_launch, .release = torch_release,                      \
        .library = torch_library, .chosen = torch_chosen,                      \
        .chooses = KERNEL_CHOOSES_ONCE,                                        \
    }

#endif

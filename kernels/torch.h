/*
 * kernels/torch.h - PyTorch as a peer, found when the program runs.
 *
 * The library of the installed Python is opened with dlopen() and runs
 * kernels/torch.py inside the measuring process, which imports PyTorch and sees
 * the runner's buffers as tensors. So the peer runs under the same conditions
 * as every variant: inputs, stream, stopwatch, graphs, rotation of buffers and
 * checks. Without Python or PyTorch it reports that it is not available.
 * $RIDGEPOINT_PYTHON names the interpreter, else it is `python3`.
 *
 * How to add it to a family: a function beside the others in
 * kernels/torch.py, `TORCH_PEERS(family)` before the family's table of
 * variants, and one or both rows in it, with the cases that are to be
 * measured:
 *     TORCH_EAGER(family, supports, "what is called"),
 *     TORCH_COMPILED(family, supports, "what is compiled"),
 */
#ifndef KERNELS_TORCH_H
#define KERNELS_TORCH_H

#include "kernels/kernel.h"

/*
 * A variant's prepare(): sets up the function of `family` in kernels/torch.py,
 * as it is ("eager") or compiled by torch.compile ("compiled"). Returns NULL,
 * or a static sentence why not; Python's own message is on stderr.
 */
const char *torch_prepare(const char *family, const char *way,
                          const struct kernel_case *c,
                          const struct kernel_env *env, void *const *buf,
                          void **state);

/*
 * A variant's preload(): loads Python, PyTorch, its compiler and Triton, step
 * by step, as far as that starts neither CUDA nor threads. A trial says on
 * stderr what it leaves out and why. If nothing can be loaded, returns why, and
 * torch_prepare() loads everything in each process.
 */
const char *torch_preload(struct kernel_preload *preload);

/* launch(): 0, or cudaErrorUnknown after an exception. */
int torch_launch(const struct kernel_case *c, const struct kernel_env *env,
                 void *const *buf, void *state);
void torch_release(void *state);

/* library(): versions of PyTorch, of the CUDA it brings, and of Triton. */
const char *torch_library(void);

/* chosen(): what the script tried and chose; "" if nothing. */
const char *torch_chosen(void *state);

/* The prepare() functions of a family's two rows, of which it may use one. */
#define TORCH_PEERS(family)                                             \
    __attribute__((unused)) static const char *family##_torch_eager(    \
        const struct kernel_case *c, const struct kernel_env *env,      \
        void *const *buf, void **state)                                 \
    {                                                                   \
        return torch_prepare(#family, "eager", c, env, buf, state);     \
    }                                                                   \
    __attribute__((unused)) static const char *family##_torch_compiled( \
        const struct kernel_case *c, const struct kernel_env *env,      \
        void *const *buf, void **state)                                 \
    {                                                                   \
        return torch_prepare(#family, "compiled", c, env, buf, state);  \
    }

#define TORCH_ROW(row_id, row_title, prepares, cases, what)                    \
    {                                                                          \
        .id = row_id, .title = row_title, .idea = what, .where = KERNEL_CUDA,  \
        .role = KERNEL_PEER, .file = "kernels/torch.c", .supports = cases,     \
        .preload = torch_preload, .prepare = prepares, .launch = torch_launch, \
        .release = torch_release, .library = torch_library,                    \
    }

/* Rows of a table of variants; `cases` is their supports(). */
#define TORCH_EAGER(family, cases, what)                                    \
    TORCH_ROW("torch_eager", "PyTorch, eager", family##_torch_eager, cases, \
              what)
#define TORCH_COMPILED(family, cases, what)                              \
    TORCH_ROW("torch_compile", "torch.compile", family##_torch_compiled, \
              cases, what)

#endif

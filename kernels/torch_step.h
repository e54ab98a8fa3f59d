/*
 * kernels/torch_step.h - PyTorch as a peer of a whole decode step, in two rows:
 *
 *   torch_eager    the step written with PyTorch's functions
 *   torch_compile  each layer as torch.compile makes it, and all of the step
 *                  as one CUDA graph
 *
 * kernels/torch_step.py joins kernels/torch.py in the same interpreter. Both
 * rows return what each stage leaves, in memory of PyTorch, so they own their
 * result (struct kernel_result of kernels/kernel.h): it is copied to the trace
 * of kernels/step/step.h, and checked as our own are.
 *
 * How to add the rows to a family: TORCH_STEP(family) before its table of
 * variants, and in it, with the cases that they can do:
 *     TORCH_STEP_EAGER(family, supports),
 *     TORCH_STEP_COMPILED(family, supports),
 */
#ifndef KERNELS_TORCH_STEP_H
#define KERNELS_TORCH_STEP_H

#include "kernels/python_product.h"

/* A variant's prepare(): sets up the row `name` of kernels/torch_step.py, and
 * makes a call. Reasons are those of python_product_prepare(). */
const char *torch_step_prepare(const char *name, const struct kernel_case *c,
                               const struct kernel_env *env, void *const *buf,
                               void **state);

/* launch(), release() and scratch_bytes() of its rows. */
int torch_step_launch(const struct kernel_case *c, const struct kernel_env *env,
                      void *const *buf, void *state);
void torch_step_release(void *state);
size_t torch_step_scratch(const struct kernel_case *c,
                          const struct kernel_env *env);

/* queued(): what the eager step counts as, and one graph. */
int torch_step_entries(const struct kernel_case *c);
int torch_step_entry(const struct kernel_case *c);

/* The prepare() functions of a family's two rows. */
#define TORCH_STEP(family)                             \
    TORCH_STEP_WAY(family##_torch_eager, "step eager") \
    TORCH_STEP_WAY(family##_torch_compiled, "step graph")

#define TORCH_STEP_WAY(function, name)                          \
    static const char *function(const struct kernel_case *c,    \
                                const struct kernel_env *env,   \
                                void *const *buf, void **state) \
    {                                                           \
        return torch_step_prepare(name, c, env, buf, state);    \
    }

#define TORCH_STEP_ROW(row_id, row_title, prepares, entries, cases, what)     \
    {                                                                         \
        .id = row_id, .title = row_title, .idea = what, .where = KERNEL_CUDA, \
        .role = KERNEL_PEER, .file = "kernels/torch_step.c",                  \
        .supports = cases, .scratch_bytes = torch_step_scratch,               \
        .preload = torch_preload, .prepare = prepares,                        \
        .launch = torch_step_launch, .release = torch_step_release,           \
        .library = torch_library, .owns_result = true, .queued = entries,     \
    }

/* Rows of a table of variants; `cases` is their supports(). */
#define TORCH_STEP_EAGER(family, cases)                                        \
    TORCH_STEP_ROW("torch_eager", "PyTorch, eager", family##_torch_eager,      \
                   torch_step_entries, cases,                                  \
                   "The step written with PyTorch's functions, one after the " \
                   "other.")
#define TORCH_STEP_COMPILED(family, cases)                                   \
    TORCH_STEP_ROW("torch_compile", "torch.compile, CUDA graph",             \
                   family##_torch_compiled, torch_step_entry, cases,         \
                   "Layers as torch.compile makes them, and all of them as " \
                   "one CUDA graph.")

#endif

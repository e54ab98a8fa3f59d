/*
 * kernels/torch_mla.h - PyTorch as a peer of latent attention, in four rows:
 *
 *   torch_einsum    two batched products and a softmax, as DeepSeek-V3's
 *                   published code has them
 *   torch_compile   the same, as torch.compile makes it
 *   sdpa_efficient  scaled_dot_product_attention with the one backend that
 *                   takes keys of 576 elements
 *   flex            FlexAttention, compiled by torch.compile
 *
 * kernels/torch_mla.py joins kernels/torch.py in the same interpreter. Each
 * call returns a new tensor, so the rows own their result (struct kernel_result
 * of kernels/kernel.h). What PyTorch refuses is not available, with its reason.
 *
 * How to add the rows to a family: TORCH_MLA(family) before its table of
 * variants, and in it, with the cases that they can do:
 *     TORCH_MLA_EINSUM(family, supports),
 *     TORCH_MLA_COMPILED(family, supports),
 *     TORCH_MLA_SDPA(family, supports),
 *     TORCH_MLA_FLEX(family, supports),
 * The family has the parameters and the buffers of kernels/mla/mla.h. None of
 * the rows takes lengths or pages.
 */
#ifndef KERNELS_TORCH_MLA_H
#define KERNELS_TORCH_MLA_H

#include "kernels/python_product.h"

/* A variant's prepare(): sets up the row `name` of kernels/torch_mla.py, and
 * makes a call. Reasons are those of python_product_prepare(). */
const char *torch_mla_prepare(const char *name, const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void **state);

/* launch() and release() of its rows. */
int torch_mla_launch(const struct kernel_case *c, const struct kernel_env *env,
                     void *const *buf, void *state);
void torch_mla_release(void *state);

/* The prepare() functions of a family's four rows. */
#define TORCH_MLA(family)                                  \
    TORCH_MLA_WAY(family##_torch_einsum, "mla einsum")     \
    TORCH_MLA_WAY(family##_torch_compiled, "mla compiled") \
    TORCH_MLA_WAY(family##_sdpa, "mla sdpa")               \
    TORCH_MLA_WAY(family##_flex, "mla flex")

#define TORCH_MLA_WAY(function, name)                           \
    static const char *function(const struct kernel_case *c,    \
                                const struct kernel_env *env,   \
                                void *const *buf, void **state) \
    {                                                           \
        return torch_mla_prepare(name, c, env, buf, state);     \
    }

#define TORCH_MLA_ROW(row_id, row_title, prepares, cases, what)                \
    {                                                                          \
        .id = row_id, .title = row_title, .idea = what, .where = KERNEL_CUDA,  \
        .role = KERNEL_PEER, .file = "kernels/torch_mla.c", .supports = cases, \
        .preload = torch_preload, .prepare = prepares,                         \
        .launch = torch_mla_launch, .release = torch_mla_release,              \
        .library = torch_library, .owns_result = true,                         \
    }

/* Rows of a table of variants; `cases` is their supports(). */
#define TORCH_MLA_EINSUM(family, cases)                                       \
    TORCH_MLA_ROW("torch_einsum", "PyTorch, einsum", family##_torch_einsum,   \
                  cases,                                                      \
                  "Two batched products with a softmax in f32 between them, " \
                  "as DeepSeek-V3's published code has them.")
#define TORCH_MLA_COMPILED(family, cases)                                     \
    TORCH_MLA_ROW("torch_compile", "torch.compile", family##_torch_compiled,  \
                  cases,                                                      \
                  "The same two products, and what lies between them as one " \
                  "kernel.")
#define TORCH_MLA_SDPA(family, cases)                                        \
    TORCH_MLA_ROW("sdpa_efficient", "PyTorch SDPA, memory-efficient",        \
                  family##_sdpa, cases,                                      \
                  "PyTorch's scaled_dot_product_attention with the backend " \
                  "from xFormers, the only one for such long rows.")
#define TORCH_MLA_FLEX(family, cases)                                          \
    TORCH_MLA_ROW("flex", "FlexAttention, compiled", family##_flex, cases,     \
                  "PyTorch's flex_attention as torch.compile makes it: heads " \
                  "are queries of its kernel that splits keys, in Triton.")

#endif

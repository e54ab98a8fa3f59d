/*
 * kernels/torch_attention.h - PyTorch as a peer of attention, in three rows:
 *
 *   sdpa_cudnn  scaled_dot_product_attention with cuDNN
 *   sdpa_fa2    the same with FlashAttention-2, which PyTorch brings
 *   flex        FlexAttention, compiled by torch.compile
 *
 * kernels/torch_attention.py joins kernels/torch.py in the same interpreter.
 * Each call returns a new tensor, so the rows own their result (struct
 * kernel_result of kernels/kernel.h). What PyTorch refuses, such as a shape
 * that a backend does not take, is not available, with its reason.
 *
 * How to add the rows to a family: a line in the table of
 * kernels/torch_attention.py, and before the family's table of variants
 *     TORCH_ATTENTION(family, "name in that table")
 * with as many of these rows in it, and the cases that each can do:
 *     TORCH_ATTENTION_CUDNN(family, supports),
 *     TORCH_ATTENTION_FA2(family, supports),
 *     TORCH_ATTENTION_FLEX(family, supports, "what is compiled"),
 */
#ifndef KERNELS_TORCH_ATTENTION_H
#define KERNELS_TORCH_ATTENTION_H

#include "kernels/python_product.h"

/* A variant's prepare(): sets up the row `name` of kernels/torch_attention.py,
 * and makes a call. Reasons are those of python_product_prepare(). */
const char *torch_attention_prepare(const char *name,
                                    const struct kernel_case *c,
                                    const struct kernel_env *env,
                                    void *const *buf, void **state);

/* launch() and release() of its rows. */
int torch_attention_launch(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *state);
void torch_attention_release(void *state);

/* library(): versions of PyTorch, of the CUDA it brings, and of cuDNN. */
const char *torch_attention_cudnn(void);

/* The prepare() functions of a family's three rows. */
#define TORCH_ATTENTION(family, name)                            \
    TORCH_ATTENTION_WAY(family##_sdpa_cudnn, name " sdpa_cudnn") \
    TORCH_ATTENTION_WAY(family##_sdpa_fa2, name " sdpa_fa2")     \
    TORCH_ATTENTION_WAY(family##_flex, name " flex")

#define TORCH_ATTENTION_WAY(function, name)                       \
    static const char *function(const struct kernel_case *c,      \
                                const struct kernel_env *env,     \
                                void *const *buf, void **state)   \
    {                                                             \
        return torch_attention_prepare(name, c, env, buf, state); \
    }

#define TORCH_ATTENTION_ROW(row_id, row_title, prepares, version, cases, what) \
    {                                                                          \
        .id = row_id, .title = row_title, .idea = what, .where = KERNEL_CUDA,  \
        .role = KERNEL_PEER, .file = "kernels/torch_attention.c",              \
        .supports = cases, .preload = torch_preload, .prepare = prepares,      \
        .launch = torch_attention_launch, .release = torch_attention_release,  \
        .library = version, .owns_result = true,                               \
    }

/* Rows of a table of variants; `cases` is their supports(). */
#define TORCH_ATTENTION_CUDNN(family, cases)                                   \
    TORCH_ATTENTION_ROW("sdpa_cudnn", "PyTorch SDPA, cuDNN",                   \
                        family##_sdpa_cudnn, torch_attention_cudnn, cases,     \
                        "PyTorch's scaled_dot_product_attention, which calls " \
                        "cuDNN.")
#define TORCH_ATTENTION_FA2(family, cases)                                     \
    TORCH_ATTENTION_ROW("sdpa_fa2", "PyTorch SDPA, FlashAttention-2",          \
                        family##_sdpa_fa2, torch_library, cases,               \
                        "PyTorch's scaled_dot_product_attention, which calls " \
                        "the FlashAttention-2 that comes with it.")
#define TORCH_ATTENTION_FLEX(family, cases, what)                         \
    TORCH_ATTENTION_ROW("flex", "FlexAttention, compiled", family##_flex, \
                        torch_library, cases, what)

#endif

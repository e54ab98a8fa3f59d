/*
 * overlap/cublas_nccl - cuBLAS and NCCL, one after the other: what a program
 * does that calls libraries.
 *
 * down:    cuBLAS, then ncclReduceScatter
 * gate_up: ncclAllGather, then cuBLAS
 *
 * All GPUs are driven by this process. The product's algorithm is found by
 * trying, on GPU 0, and all GPUs use it. NCCL chooses for itself, and connects
 * the GPUs in a call that prepare() makes, with the same size.
 */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/cublas.h"
#include "kernels/nccl.cuh"
#include "kernels/overlap/overlap.h"

/* What stays open in this process. */
struct libraries {
    void *cublas[OVERLAP_MOST]; /* of each GPU */
    void *nccl;
};

struct job {
    struct libraries *l;
    struct nccl *n;
    struct cublas_linear *product[OVERLAP_MOST];
};

/* The place of both, made once in a process. */
static const char *keep(void **kept, struct libraries **out)
{
    if (kept == NULL)
        return "the runner keeps no place for the libraries";
    if (*kept == NULL)
        *kept = calloc(1, sizeof **out);
    if (*kept == NULL)
        abort();
    *out = (struct libraries *)*kept;
    return NULL;
}

/* ---- a call ---- */

/* Products of all rows, or rows of all GPUs: behind what cuBLAS needs. */
static void *between(const struct kernel_env *env, void *const *buf, int g)
{
    char *const scratch = (char *)kernel_of_gpu(buf, g)[OVERLAP_SCRATCH];

    return scratch + (cublas_linear_scratch(env->l2_bytes) + 255) / 256 * 256;
}

static int communicate(const struct kernel_case *c,
                       const struct kernel_env *env, void *const *buf,
                       const struct nccl *n)
{
    const bool down = overlap_is_down(c);
    const size_t each =
        (size_t)overlap_share(c) * kernel_num(c, down ? "n" : "k");

    return nccl_group(
        n, env, kernel_gpus(c), [&](int g, void *comm, cudaStream_t stream) {
            void *const *const of = kernel_of_gpu(buf, g);
            void *const rows = between(env, buf, g);

            return down ? n->reduce_scatter(rows, of[OVERLAP_C], each,
                                            NCCL_BF16, NCCL_SUM, comm, stream)
                        : n->all_gather(of[OVERLAP_A], rows, each, NCCL_BF16,
                                        comm, stream);
        });
}

static int multiply(const struct kernel_env *env, const struct job *j)
{
    int rc = 0;

    for (int g = 0; g < env->gpus && !rc; g++) {
        rc = cudaSetDevice(g);
        if (!rc)
            rc = cublas_linear_run(j->product[g], env->streams[g]);
    }
    return rc;
}

/* ---- what the runner calls ---- */

extern "C" void overlap_cublas_nccl_release(void *state)
{
    struct job *const j = (struct job *)state;

    for (int g = 0; g < OVERLAP_MOST; g++)
        if (j->product[g] && cudaSetDevice(g) == cudaSuccess)
            cublas_linear_close(j->product[g]);
    free(j);
}

/* The product of GPU g, with the algorithm of GPU 0. */
static const char *open_product(const struct kernel_case *c,
                                const struct kernel_env *env, void *const *buf,
                                int g, struct job *j)
{
    void *const *const of = kernel_of_gpu(buf, g);
    void *const rows = between(env, buf, g);
    const bool down = overlap_is_down(c);
    const char *const choice =
        g == 0 ? env->choice : cublas_linear_choice(j->product[0]);

    if (cudaSetDevice(g))
        return "a GPU cannot be selected";
    return cublas_linear_open(&j->product[g], &j->l->cublas[g], env->streams[g],
                              (int)kernel_num(c, "m"), (int)kernel_num(c, "n"),
                              (int)kernel_num(c, "k"),
                              down ? of[OVERLAP_A] : rows, of[OVERLAP_B],
                              down ? rows : of[OVERLAP_C], of[OVERLAP_SCRATCH],
                              cublas_linear_scratch(env->l2_bytes), choice);
}

extern "C" const char *overlap_cublas_nccl_prepare(const struct kernel_case *c,
                                                   const struct kernel_env *env,
                                                   void *const *buf,
                                                   void **state)
{
    struct job *const j = (struct job *)calloc(1, sizeof *j);
    const char *why;

    if (j == NULL)
        abort();
    why = keep(env->kept, &j->l);
    if (why == NULL)
        why = nccl_open(&j->l->nccl, env->gpus, &j->n);
    if (why == NULL &&
        (communicate(c, env, buf, j->n) || nccl_wait(env, env->gpus)))
        why = "NCCL failed";
    for (int g = 0; g < env->gpus && why == NULL; g++) {
        why = open_product(c, env, buf, g, j);
        if (why)
            j->product[g] = NULL;
    }
    *state = j;
    if (why)
        overlap_cublas_nccl_release(j);
    return why;
}

extern "C" size_t overlap_cublas_nccl_scratch(const struct kernel_case *c,
                                              const struct kernel_env *env)
{
    const char *const wide = overlap_is_down(c) ? "n" : "k";

    return (cublas_linear_scratch(env->l2_bytes) + 255) / 256 * 256 +
           2 * (size_t)kernel_num(c, "m") * (size_t)kernel_num(c, wide);
}

extern "C" int overlap_cublas_nccl(const struct kernel_case *c,
                                   const struct kernel_env *env,
                                   void *const *buf, void *state)
{
    const struct job *const j = (const struct job *)state;
    int rc =
        overlap_is_down(c) ? multiply(env, j) : communicate(c, env, buf, j->n);

    if (rc)
        return rc;
    return overlap_is_down(c) ? communicate(c, env, buf, j->n)
                              : multiply(env, j);
}

extern "C" const char *overlap_cublas_nccl_chosen(void *state)
{
    return cublas_linear_choice(((struct job *)state)->product[0]);
}

/* "cuBLAS 13.1.0, NCCL 2.28.9" */
extern "C" const char *overlap_cublas_nccl_library(void)
{
    char *text = NULL;

    if (asprintf(&text, "%s, %s", cublas_library(), nccl_library()) < 0)
        abort();
    return text;
}

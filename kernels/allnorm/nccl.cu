/*
 * allnorm/nccl - NCCL's all-reduce, and our kernel for residual and norm.
 *
 * allreduce/nccl does the first half, as if the matrix was its vector: it
 * opens the library, connects the GPUs in prepare(), and makes a group call.
 * The second half is the kernel that allnorm/apart ends with. NCCL has no
 * deadline: if a GPU fails, the others wait until the runner ends the process.
 *
 * A runner that is built without the family allreduce lacks its functions.
 */
#include "kernels/allnorm/norm.cuh"
#include "kernels/declare.h"

extern "C" {
LAUNCHER(allreduce_nccl);
PREPARE(allreduce_nccl_prepare);
__attribute__((weak)) const char *allreduce_nccl_library(void);
}

/* The all-reduce as a case of that family. */
struct reduction {
    struct kernel_case c;
    void *buf[KERNEL_MAX_GPUS * KERNEL_GPU_BUFFERS];
};

static uint16_t *sum_of(void *const *buf, int gpu)
{
    return (uint16_t *)kernel_of_gpu(buf, gpu)[ALLNORM_SCRATCH];
}

static reduction reduction_of(const struct kernel_case *c, void *const *buf)
{
    reduction d = {};

    d.c.param[0] = {"gpus", kernel_gpus(c), NULL};
    d.c.param[1] = {"bytes", (int64_t)(2 * allnorm_count(c)), NULL};
    d.c.nparams = 2;
    d.c.dtype = c->dtype;
    d.c.use = c->use;
    for (int g = 0; g < kernel_gpus(c); g++) {
        void **const of = d.buf + g * KERNEL_GPU_BUFFERS;

        of[ALLREDUCE_X] = kernel_of_gpu(buf, g)[ALLNORM_X];
        of[ALLREDUCE_SUM] = sum_of(buf, g);
    }
    return d;
}

extern "C" const char *allnorm_nccl_prepare(const struct kernel_case *c,
                                            const struct kernel_env *env,
                                            void *const *buf, void **state)
{
    const reduction d = reduction_of(c, buf);

    if (!allreduce_nccl || !allreduce_nccl_prepare)
        return "built without the family allreduce";
    if (load_all(env, norm_rows))
        return "its kernel cannot be loaded";
    return allreduce_nccl_prepare(&d.c, env, d.buf, state);
}

extern "C" size_t allnorm_nccl_scratch(const struct kernel_case *c,
                                       const struct kernel_env *)
{
    return 2 * allnorm_count(c);
}

extern "C" int allnorm_nccl(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *state)
{
    const reduction d = reduction_of(c, buf);
    const int rc = allreduce_nccl(&d.c, env, d.buf, state);

    if (rc)
        return rc;
    return on_each(c, env, buf, [&](const rows &s, cudaStream_t stream) {
        norm_rows<<<s.tokens, THREADS, 0, stream>>>(s, sum_of(buf, s.p.rank));
        return cudaGetLastError();
    });
}

/* The version, as allreduce/nccl tells it. */
extern "C" const char *allnorm_nccl_library(void)
{
    return allreduce_nccl_library ? allreduce_nccl_library() : "";
}

/*
 * allreduce/nccl - NCCL's all-reduce, all GPUs driven by this process.
 *
 * kernels/nccl.cuh says how it is opened. NCCL connects what a size needs, so
 * prepare() makes a call of the same size.
 */
#include "kernels/allreduce/allreduce.h"
#include "kernels/nccl.cuh"

/* One call on all GPUs. Returns a cudaError_t. */
static int call(const struct kernel_case *c, const struct kernel_env *env,
                void *const *buf, const struct nccl *n)
{
    return nccl_group(
        n, env, kernel_gpus(c), [&](int g, void *comm, cudaStream_t stream) {
            void *const *const of = kernel_of_gpu(buf, g);

            return n->all_reduce(of[ALLREDUCE_X], of[ALLREDUCE_SUM],
                                 allreduce_count(c), NCCL_BF16, NCCL_SUM, comm,
                                 stream);
        });
}

extern "C" const char *allreduce_nccl_prepare(const struct kernel_case *c,
                                              const struct kernel_env *env,
                                              void *const *buf, void **state)
{
    struct nccl *n;
    const char *const why = nccl_open(env->kept, kernel_gpus(c), &n);

    *state = n;
    if (why)
        return why;
    return call(c, env, buf, n) || nccl_wait(env, kernel_gpus(c))
               ? "ncclAllReduce failed"
               : NULL;
}

extern "C" int allreduce_nccl(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *state)
{
    return call(c, env, buf, (const struct nccl *)state);
}

extern "C" const char *allreduce_nccl_library(void)
{
    return nccl_library();
}

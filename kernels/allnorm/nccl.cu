/*
 * allnorm/nccl - NCCL's all-reduce, and our kernel for residual and norm.
 *
 * The first half is what allreduce/nccl does, as if the matrix was its vector.
 * The second half is the kernel that allnorm/apart ends with.
 */
#include "kernels/allnorm/norm.cuh"
#include "kernels/nccl.cuh"

static uint16_t *sum_of(void *const *buf, int gpu)
{
    return (uint16_t *)kernel_of_gpu(buf, gpu)[ALLNORM_SCRATCH];
}

/* The sum of all matrices on each GPU. Returns a cudaError_t. */
static int reduce(const struct kernel_case *c, const struct kernel_env *env,
                  void *const *buf, const struct nccl *n)
{
    return nccl_group(
        n, env, kernel_gpus(c), [&](int g, void *comm, cudaStream_t stream) {
            return n->all_reduce(kernel_of_gpu(buf, g)[ALLNORM_X],
                                 sum_of(buf, g), allnorm_count(c), NCCL_BF16,
                                 NCCL_SUM, comm, stream);
        });
}

extern "C" const char *allnorm_nccl_prepare(const struct kernel_case *c,
                                            const struct kernel_env *env,
                                            void *const *buf, void **state)
{
    struct nccl *n;
    const char *why;

    if (load_all(env, norm_rows))
        return "its kernel cannot be loaded";
    why = nccl_open(env->kept, kernel_gpus(c), &n);
    *state = n;
    if (why)
        return why;
    return reduce(c, env, buf, n) || nccl_wait(env, kernel_gpus(c))
               ? "ncclAllReduce failed"
               : NULL;
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
    const int rc = reduce(c, env, buf, (const struct nccl *)state);

    if (rc)
        return rc;
    return on_each(c, env, buf, [&](const rows &s, cudaStream_t stream) {
        norm_rows<<<s.tokens, THREADS, 0, stream>>>(s, sum_of(buf, s.p.rank));
        return cudaGetLastError();
    });
}

extern "C" const char *allnorm_nccl_library(void)
{
    return nccl_library();
}

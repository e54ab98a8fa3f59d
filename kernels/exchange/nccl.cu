/*
 * exchange/nccl - NCCL moves blocks of rows, all GPUs driven by this process.
 *
 * dispatch: got[at] = rows of the tokens that have an expert at GPU `at`.
 * combine:  out = sum over GPUs of weight y, in their order.
 *
 * What a program does without kernels between GPUs: as in exchange/engine a
 * kernel puts the rows for each GPU side by side. Then a group call sends a
 * block to each other GPU and receives one from it, which is NCCL's all-to-all.
 * A kernel adds up what has come back. The host must know the sizes, and here
 * does.
 *
 * kernels/nccl.cuh says how it is opened. prepare() makes a call with the same
 * sizes, which connects the GPUs.
 */
#include "kernels/exchange/pack.cuh"
#include "kernels/nccl.cuh"

/* All blocks of rows, sent and received. */
static int exchange_all(const struct kernel_case *c,
                        const struct kernel_env *env, void *const *buf,
                        const struct nccl *n)
{
    const int gpus = kernel_gpus(c);

    return nccl_group(n, env, gpus,
                      [&](int g, void *comm, cudaStream_t stream) {
                          int rc = 0;

                          for (int h = 0; h < gpus && !rc; h++) {
                              const transfer leaves = transfer_of(c, buf, g, h);
                              const transfer comes = transfer_of(c, buf, h, g);

                              if (h == g)
                                  continue;
                              rc = n->send(leaves.from, leaves.bytes,
                                           NCCL_BYTES, h, comm, stream);
                              if (!rc)
                                  rc = n->receive(comes.to, comes.bytes,
                                                  NCCL_BYTES, h, comm, stream);
                          }
                          return rc;
                      });
}

/* One call on all GPUs. Returns a cudaError_t. */
static int call(const struct kernel_case *c, const struct kernel_env *env,
                void *const *buf, const struct nccl *n)
{
    const unsigned blocks = blocks_of(c, env, PACK_BLOCKS);
    const struct exchange *const e = exchange_of(c);
    const bool out = exchange_is_dispatch(c);
    int rc = 0;

    if (out)
        rc = on_all(c, env, buf, [&](const sides &p, cudaStream_t stream) {
            const int begin = exchange_begin(e, p.rank, p.rank);

            pack<<<blocks, THREADS, 0, stream>>>(p, begin);
            return (int)cudaGetLastError();
        });
    if (!rc)
        rc = exchange_all(c, env, buf, n);
    if (!rc && !out)
        rc = on_all(c, env, buf, [&](const sides &p, cudaStream_t stream) {
            unpack<<<blocks, THREADS, 0, stream>>>(p);
            return (int)cudaGetLastError();
        });
    return rc;
}

extern "C" const char *exchange_nccl_prepare(const struct kernel_case *c,
                                             const struct kernel_env *env,
                                             void *const *buf, void **state)
{
    struct nccl *n;
    const char *const why = nccl_open(env->kept, kernel_gpus(c), &n);

    *state = n;
    if (why)
        return why;
    return call(c, env, buf, n) || nccl_wait(env, kernel_gpus(c))
               ? "ncclSend or ncclRecv failed"
               : NULL;
}

extern "C" size_t exchange_nccl_scratch(const struct kernel_case *c,
                                        const struct kernel_env *)
{
    return pack_scratch(c);
}

extern "C" int exchange_nccl(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *state)
{
    return call(c, env, buf, (const struct nccl *)state);
}

extern "C" const char *exchange_nccl_library(void)
{
    return nccl_library();
}

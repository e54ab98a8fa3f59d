/*
 * allreduce/one - one block of each GPU reads the vectors of all.
 *
 * sum = x of GPU 0 + x of GPU 1 + ..., on every GPU.
 *
 * allreduce/engine has four operations that wait for each other. A pointer into
 * another GPU's memory can be loaded from like any other, so one kernel does
 * all: meet, load, add, store, meet. The meetings are flags in memory that pass
 * NVLink once each.
 *
 * Predicts: two meetings of 1.35 us, a load over NVLink of about as much, and
 * the launch: 5 to 8 us for 8 KiB between two GPUs. One block has 64 KiB under
 * way, half of it from the other GPU. So a MiB takes 32 turns: beyond 64 KiB
 * this is slow.
 */
#include "kernels/allreduce/oneshot.cuh"

template <int GPUS>
static int start(const peers &p, unsigned blocks, cudaStream_t stream)
{
    one_shot<GPUS><<<blocks, THREADS, 0, stream>>>(p);
    return cudaGetLastError();
}

extern "C" size_t allreduce_one_scratch(const struct kernel_case *,
                                        const struct kernel_env *)
{
    return MOST_BOXES * sizeof(box);
}

extern "C" int allreduce_one(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    return on_all(c, env, buf, [&](const peers &p, cudaStream_t stream) {
        return FOR_GPUS(c, start, p, 1, stream);
    });
}

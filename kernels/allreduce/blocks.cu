/*
 * allreduce/blocks - up to 36 blocks of each GPU read the vectors of all.
 *
 * sum = x of GPU 0 + x of GPU 1 + ..., on every GPU.
 *
 * allreduce/one asks for 64 KiB at a time. NVLink brings 450 GB/s after about
 * 1.5 us, so 675 KB must be under way to keep it busy. With 36 blocks of 512
 * threads and 128 bytes each it is 2.3 MB. Every block meets those of its own
 * number, so no block waits for its neighbours.
 *
 * Predicts: hardly faster than allreduce/one for 8 KiB, which is one load for
 * each thread; 2.5 to 5 times as fast for 512 KiB.
 */
#include "kernels/allreduce/oneshot.cuh"

enum { MOST_BLOCKS = 36 };

template <int GPUS>
static int start(const peers &p, unsigned blocks, cudaStream_t stream)
{
    one_shot<GPUS><<<blocks, THREADS, 0, stream>>>(p);
    return cudaGetLastError();
}

extern "C" size_t allreduce_blocks_scratch(const struct kernel_case *,
                                           const struct kernel_env *)
{
    return MOST_BOXES * sizeof(box);
}

extern "C" int allreduce_blocks(const struct kernel_case *c,
                                const struct kernel_env *env, void *const *buf,
                                void *)
{
    const unsigned blocks =
        blocks_for(env, allreduce_count(c) / VECTOR, THREADS, MOST_BLOCKS);

    return on_all(c, env, buf, [&](const peers &p, cudaStream_t stream) {
        return FOR_GPUS(c, start, p, blocks, stream);
    });
}

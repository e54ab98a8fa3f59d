/*
 * No barrier: each value carries the number of its step.
 *
 * A barrier makes everyone wait for everyone, when all that an element needs
 * is one element of another block. Here value and step number travel in one
 * word of 64 bits, which is written and read whole; who needs a value reads
 * its word until the number is right. No fence stands between value and flag,
 * since they are the same write, and no counter gathers the blocks.
 *
 * Two words per element, in turn, are enough if a block cannot run two steps
 * ahead of the one that reads from it. It cannot if it in turn reads from
 * that block, and with an even number of blocks a shift of half the vector is
 * such a pairing. The numbers go on from launch to launch: each block keeps
 * where it is in scratch, and all stand at the same.
 *
 * This is not a barrier, and needs to know who needs what. It shows what is
 * left when only that is waited for.
 *
 * Predicted before any run: 0.4-0.5 microseconds a step: one write to the
 * L2, and a read that finds it.
 */
#include "kernels/launch/launch.cuh"

static __device__ void word_put(uint64_t *word, float value, unsigned step)
{
    const uint64_t v = (uint64_t)__float_as_uint(value) << 32 | step;

    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(word), "l"(v)
                 : "memory");
}

static __device__ float word_take(const uint64_t *word, unsigned step)
{
    uint64_t v;

    do
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
                     : "=l"(v)
                     : "l"(word)
                     : "memory");
    while ((unsigned)v != step);
    return __uint_as_float((unsigned)(v >> 32));
}

/* Words of both turns, then a number for each block. */
static __global__ void __launch_bounds__(LAUNCH_THREADS)
    chain(const struct launch_chain k, uint64_t *words, unsigned *steps)
{
    const unsigned i = blockIdx.x * LAUNCH_THREADS + threadIdx.x;
    const unsigned j = (i + k.shift) % k.n, base = steps[blockIdx.x];
    float value = k.v[j] + k.x[0];

    // ANCHOR: inner
    for (int r = 1; r < k.nodes; r++) {
        uint64_t *here = words + (r & 1 ? k.n : 0);

        word_put(here + i, value, base + r);
        value = word_take(here + j, base + r) + __ldg(k.x + r);
    }
    // ANCHOR_END: inner
    k.out[i] = value;
    __syncthreads(); /* all have read where their block stands */
    if (threadIdx.x == 0)
        steps[blockIdx.x] = base + k.nodes;
}

extern "C" bool launch_inband_supports(const struct kernel_case *c)
{
    return kernel_num(c, "blocks") % 2 == 0;
}

extern "C" size_t launch_inband_scratch(const struct kernel_case *c,
                                        const struct kernel_env *)
{
    const size_t blocks = (size_t)kernel_num(c, "blocks");

    return blocks * LAUNCH_THREADS * 2 * sizeof(uint64_t) +
           blocks * sizeof(unsigned);
}

extern "C" int launch_inband(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    struct launch_chain k = launch_chain(c, buf);
    uint64_t *words = (uint64_t *)buf[3];
    unsigned *steps = (unsigned *)(words + 2 * (size_t)k.n);
    void *args[] = {&k, &words, &steps};

    return cudaLaunchCooperativeKernel((const void *)chain, k.blocks,
                                       LAUNCH_THREADS, args, 0,
                                       (cudaStream_t)env->stream);
}

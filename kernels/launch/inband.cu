/*
 * launch/inband - no barrier: each value carries the number of its step.
 *
 * A barrier makes every block wait for every other, but an element needs only
 * one element of another block. Here value and step number travel in one word
 * of 64 bits, which is written and read whole. A thread that needs a value
 * reads its word until the number is right. Value and flag are the same write,
 * so there is no fence between them, and no counter gathers the blocks.
 *
 * Two words per element, in turn, are enough if a block cannot run two steps
 * ahead of the one that reads from it. It cannot if it reads from that block,
 * too. With an even number of blocks, a shift of half the vector makes such
 * pairs. The numbers go on from launch to launch: each block keeps its number
 * in scratch memory, and all numbers are the same.
 *
 * This is not a barrier: it has to know which block needs which value. It shows
 * what a step costs when blocks wait for nothing else.
 *
 * Predicted before any run: 0.4-0.5 microseconds a step: one write to the
 * L2, and a read that finds it.
 */
#include "kernels/launch/launch.cuh"
#include "kernels/word.cuh"

static __device__ void word_put(uint64_t *word, float value, unsigned step)
{
    word_store(word, word_of(value, step));
}

/* Waits until the word is that of the step. */
static __device__ float word_take(const uint64_t *word, unsigned step)
{
    uint64_t v;

    do
        v = word_load(word);
    while ((unsigned)v != step);
    return word_value(v);
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

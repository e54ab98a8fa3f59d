/*
 * exchange/each - warps store a row once for each expert of its token.
 *
 * got[at] = rows of the tokens that have an expert at GPU `at`.
 *
 * exchange/engine has three kernels and a copy for each pair of GPUs, and rows
 * pass memory once more than they must. A pointer into another GPU's memory can
 * be stored to like any other, so one kernel does all: count, tell the others
 * the counts, store, meet.
 *
 * A program that sees experts rather than GPUs sends a row eight times. Here
 * two experts of one GPU get the same place, so the result is that of
 * exchange/push, and the difference in time is what it saves by sending a row
 * once to each GPU.
 *
 * Predicts: of eight rows, four leave the GPU between two GPUs and six between
 * four; exchange/push sends 1 and 2.7. So it is 0.25 and 0.45 times as fast for
 * 4096 tokens. For 8 tokens the counts and flags decide, and a few hundred
 * kilobytes more are hardly seen.
 */
#include "kernels/exchange/dispatch.cuh"

enum { MOST_BLOCKS = 64 };

// ANCHOR: inner
static __global__ void __launch_bounds__(THREADS, 1)
    each(const __grid_constant__ sides p)
{
    __shared__ going s;

    dispatch(p, &s, [&](const piece &a, const uint4 *v) {
        for (int k = 0; k < EXCHANGE_TOP; k++)
            send(p, &s, a,
                 p.chosen[a.row * EXCHANGE_TOP + k] * p.gpus / EXCHANGE_EXPERTS,
                 v);
    });
}
// ANCHOR_END: inner

extern "C" size_t exchange_each_scratch(const struct kernel_case *,
                                        const struct kernel_env *)
{
    return MOST_BOXES * sizeof(box);
}

extern "C" int exchange_each(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const unsigned blocks = blocks_of(c, env, MOST_BLOCKS);

    return on_all(c, env, buf, [&](const sides &p, cudaStream_t stream) {
        each<<<blocks, THREADS, 0, stream>>>(p);
        return (int)cudaGetLastError();
    });
}

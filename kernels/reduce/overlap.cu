/*
 * reduce/overlap - the launch overlaps with the kernel before.
 *
 * What is left of a small sum is mostly the launch itself: the device sets the
 * next kernel of a stream up only when the one before has drained. Programmatic
 * dependent launch takes the set-up out of the way. Each block first says that
 * the next kernel of the stream may be brought in
 * (griddepcontrol.launch_dependents). Then it waits until the kernel before has
 * ended and its writes are visible (griddepcontrol.wait). Only then does it
 * touch memory, so effects keep the order of the stream; only block starts
 * overlap. All else is reduce/inband.
 *
 * It helps where launches follow one another closely, as they do inside a
 * program and in a graph. A launch on an idle device has nothing to overlap
 * with. If the kernel before does not know of the protocol, it simply runs to
 * its end first.
 *
 * Expected, after a trial: several tenths of a microsecond less in a chain
 * of small sums, nothing for large n.
 */
#include "kernels/reduce/tickets.cuh"

template <int VECTORS, bool BY_TICKET>
static __global__ void sum_all(float *out, const float *x, size_t n,
                               uint64_t *words)
{
    // ANCHOR: inner
    ptx_next_kernel_may_start();
    ptx_wait_for_last_kernel();
    // ANCHOR_END: inner
    /* The last block leaves no sum: its word counts the tickets. */
    uint64_t *tickets = &words[gridDim.x - 1];
    float sum = BY_TICKET ? share_by_ticket(x, n, (unsigned *)tickets)
                          : share<VECTORS>(x, n);

    sum = sum_block<THREADS>(sum);

    if (blockIdx.x != gridDim.x - 1) {
        if (threadIdx.x == 0)
            word_put(&words[blockIdx.x], sum);
        return;
    }
    if (threadIdx.x != 0)
        sum = 0;
    for (unsigned b = threadIdx.x; b < gridDim.x - 1; b += THREADS)
        sum += word_take(&words[b]);
    __syncthreads(); /* sum_block() uses its shared memory again */
    sum = sum_block<THREADS>(sum);
    if (threadIdx.x == 0) {
        *out = sum;
        if (BY_TICKET)
            *tickets = 0; /* all have drawn their last */
    }
}

extern "C" size_t reduce_overlap_scratch(const struct kernel_case *c,
                                         const struct kernel_env *env)
{
    return blocks_for(c, env) * sizeof(uint64_t);
}

extern "C" int reduce_overlap(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *)
{
    const size_t n = length(c);
    const auto kernel = n <= SMALL ? sum_all<SMALL_VECTORS, false>
                        : n < HUGE ? sum_all<LARGE_VECTORS, false>
                                   : sum_all<LARGE_VECTORS, true>;
    cudaLaunchAttribute overlap = {};
    cudaLaunchConfig_t config = {};

    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = blocks_for(c, env);
    config.blockDim = THREADS;
    config.stream = (cudaStream_t)env->stream;
    config.attrs = &overlap;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, kernel, (float *)buf[0],
                              (const float *)buf[1], n, (uint64_t *)buf[2]);
}

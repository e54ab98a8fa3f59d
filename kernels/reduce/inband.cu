/*
 * reduce/inband - flag and sum in one word.
 *
 * In reduce/single three trips to the L2 follow one another: write the sum and
 * wait until it is visible, draw a ticket, read all sums. But the last block
 * only needs to know that a sum has arrived, and the sum can say so itself. A
 * 64-bit word holds the float and a flag, and 8 bytes are written at once or
 * not at all, so there is no fence and no counter. The block with the highest
 * number is also the last to start. It waits for each word in turn and clears
 * it for the next launch. The other blocks wait for nothing, so there is no
 * deadlock, however few blocks fit on the device.
 *
 * Small inputs get tiles of 16 KiB, so that more SMs share them; large ones get
 * 64 KiB. Blocks of 512 threads, four per SM, halve the number of words to wait
 * for.
 *
 * Blocks take the largest inputs by ticket: a block that is done with a tile
 * takes the next one that is free. A fast SM takes more of them, so no SM is
 * left working alone at the end. All blocks read within a narrow window that
 * moves through memory in address order, whereas blocks with fixed tiles drift
 * apart. A counter gives out the tickets. A block draws its ticket while loads
 * are in flight, so it does not wait for it. A sweep found two blocks per SM to
 * be enough for this.
 *
 * Expected, after a sweep of block and tile sizes: about a microsecond less
 * than two launches for small n, and a percent or so from the tickets at
 * the largest, which then read as fast as a kernel that does nothing else.
 */
#include "kernels/reduce/tickets.cuh"
#include "kernels/trace.cuh"

template <int VECTORS, bool BY_TICKET>
static __global__ void sum_all(float *out, const float *x, size_t n,
                               uint64_t *words)
{
    /* The last block leaves no sum: its word counts the tickets. */
    uint64_t *tickets = &words[gridDim.x - 1];

    TRACE_OPEN(BLOCK, 0, threadIdx.x == 0);
    TRACE_BEGIN(LOAD, 0);
    float sum = BY_TICKET ? share_by_ticket(x, n, (unsigned *)tickets)
                          : share<VECTORS>(x, n);
    TRACE_END(LOAD, 0);

    TRACE_BEGIN(REDUCE, 0);
    sum = sum_block<THREADS>(sum);
    TRACE_END(REDUCE, 0);

    // ANCHOR: inner
    if (blockIdx.x != gridDim.x - 1) {
        if (threadIdx.x == 0)
            word_put(&words[blockIdx.x], sum);
        TRACE_MARK(SIGNAL, 0);
        TRACE_CLOSE();
        return;
    }
    if (threadIdx.x != 0)
        sum = 0;
    TRACE_BEGIN(WAIT, 0);
    for (unsigned b = threadIdx.x; b < gridDim.x - 1; b += THREADS)
        sum += word_take(&words[b]);
    __syncthreads(); /* sum_block() uses its shared memory again */
    TRACE_END(WAIT, 0);
    TRACE_BEGIN(REDUCE, 1);
    sum = sum_block<THREADS>(sum);
    TRACE_END(REDUCE, 1);
    if (threadIdx.x == 0) {
        *out = sum;
        if (BY_TICKET)
            *tickets = 0; /* all have drawn their last */
    }
    TRACE_CLOSE();
    // ANCHOR_END: inner
}

extern "C" size_t reduce_inband_scratch(const struct kernel_case *c,
                                        const struct kernel_env *env)
{
    return blocks_for(c, env) * sizeof(uint64_t);
}

extern "C" int reduce_inband(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const size_t n = length(c);
    const auto kernel = n <= SMALL ? sum_all<SMALL_VECTORS, false>
                        : n < HUGE ? sum_all<LARGE_VECTORS, false>
                                   : sum_all<LARGE_VECTORS, true>;

    kernel<<<blocks_for(c, env), THREADS, 0, (cudaStream_t)env->stream>>>(
        (float *)buf[0], (const float *)buf[1], n, (uint64_t *)buf[2]);
    return cudaGetLastError();
}

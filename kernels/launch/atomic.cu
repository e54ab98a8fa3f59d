/*
 * launch/atomic - a barrier by hand: one counter.
 *
 * Each block adds its share to a counter in the L2 and looks at it until all
 * have. The shares of a round add up to 2^31, so what a block waits for is
 * that the top bit turns over; the lower bits are back at 0 then, and neither
 * the next round nor the next launch has to clear anything.
 *
 * The order that makes it a barrier: __syncthreads() puts the writes of the
 * block before the addition, which releases them to the device; the look that
 * sees the turn acquires those of all others, and the second __syncthreads()
 * hands them on. The addition asks for no answer (red, not atom), so it
 * costs one trip to the L2, and the look one trip there and back.
 *
 * The thread that adds first waits until the writes before have arrived; a
 * thread of another warp looks meanwhile, so that the two do not add up.
 *
 * All blocks must be on the device at once, hence the cooperative launch.
 *
 * Predicted before any run: 0.9-1.0 microseconds a step, a little less than
 * grid.sync(), which does much the same.
 */
#include "kernels/launch/barrier.cuh"

static __global__ void __launch_bounds__(LAUNCH_THREADS)
    chain(const struct launch_chain k, unsigned *count)
{
    const unsigned i = blockIdx.x * LAUNCH_THREADS + threadIdx.x;
    const unsigned mine = barrier_share(blockIdx.x, gridDim.x);
    unsigned turn = barrier_begin(count);

    for (int r = 0; r < k.nodes; r++) {
        launch_element(launch_to(k, r), launch_from(k, r), __ldg(k.x + r), i,
                       k.n, k.shift);
        if (r == k.nodes - 1)
            break;
        // ANCHOR: inner
        __syncthreads();
        turn ^= BARRIER_TURN;
        if (threadIdx.x == BARRIER_ADDER)
            barrier_add(count, mine);
        if (threadIdx.x == BARRIER_LOOKER)
            barrier_wait(count, turn);
        __syncthreads();
        // ANCHOR_END: inner
    }
}

/* The two halves, then the counter. */
extern "C" size_t launch_atomic_scratch(const struct kernel_case *c,
                                        const struct kernel_env *)
{
    return barrier_scratch(c);
}

extern "C" int launch_atomic(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const struct launch_chain k = launch_chain(c, buf);

    return barrier_launch(chain, k, 1, (cudaStream_t)env->stream);
}

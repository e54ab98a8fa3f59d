/*
 * launch/hierarchical - the barrier in two levels.
 *
 * Blocks of one cluster lie in the same part of the chip and have a barrier in
 * hardware, which costs no trip to the L2. So the blocks of a cluster meet
 * first, and one of them adds for all; the counter sees a fraction of the
 * additions, which it takes one after the other. Each block still polls the
 * counter itself: to hear of it from its cluster would take a second meeting.
 *
 * Predicted before any run: 0.7-0.8 microseconds a step.
 */
#include "kernels/launch/barrier.cuh"

enum { CLUSTER = 4 };

/* All threads of the cluster; what they wrote is visible to all of them. */
static __device__ void cluster_meet(void)
{
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

static __global__ void __launch_bounds__(LAUNCH_THREADS)
    chain(const struct launch_chain k, unsigned *count)
{
    const unsigned i = blockIdx.x * LAUNCH_THREADS + threadIdx.x;
    const bool adds = threadIdx.x == BARRIER_ADDER && blockIdx.x % CLUSTER == 0;
    const unsigned mine =
        barrier_share(blockIdx.x / CLUSTER, gridDim.x / CLUSTER);
    unsigned turn = barrier_begin(count);

    cluster_meet(); /* all have looked before one adds */
    for (int r = 0; r < k.nodes; r++) {
        launch_element(launch_to(k, r), launch_from(k, r), __ldg(k.x + r), i,
                       k.n, k.shift);
        if (r == k.nodes - 1)
            break;
        // ANCHOR: inner
        cluster_meet();
        turn ^= BARRIER_TURN;
        if (adds)
            barrier_add(count, mine);
        if (threadIdx.x == BARRIER_LOOKER)
            barrier_wait(count, turn);
        __syncthreads();
        // ANCHOR_END: inner
    }
}

extern "C" bool launch_hierarchical_supports(const struct kernel_case *c)
{
    return kernel_num(c, "blocks") % CLUSTER == 0;
}

extern "C" size_t launch_hierarchical_scratch(const struct kernel_case *c,
                                              const struct kernel_env *)
{
    return barrier_scratch(c);
}

extern "C" int launch_hierarchical(const struct kernel_case *c,
                                   const struct kernel_env *env,
                                   void *const *buf, void *)
{
    const struct launch_chain k = launch_chain(c, buf);

    return barrier_launch(chain, k, CLUSTER, (cudaStream_t)env->stream);
}

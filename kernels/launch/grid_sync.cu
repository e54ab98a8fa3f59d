/*
 * launch/grid_sync - one kernel, grid.sync() between the steps.
 *
 * Instead of ending and starting, all blocks stay and wait for each other. A
 * cooperative launch promises that they are all on the device at once,
 * otherwise the first would wait for ever. grid.sync() of cooperative groups is
 * the barrier. The price: the grid is as large as the device, not as the
 * problem.
 *
 * Predicted before any run: 1.0-1.2 microseconds a step.
 */
#include "kernels/launch/launch.cuh"

#define _CG_LIMIT_INCLUDED_DEPENDENCIES /* no libcu++: it compiles slowly */
#include <cooperative_groups.h>

// ANCHOR: inner
static __global__ void __launch_bounds__(LAUNCH_THREADS)
    chain(const struct launch_chain k)
{
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const unsigned i = blockIdx.x * LAUNCH_THREADS + threadIdx.x;

    for (int r = 0; r < k.nodes; r++) {
        launch_element(launch_to(k, r), launch_from(k, r), __ldg(k.x + r), i,
                       k.n, k.shift);
        if (r < k.nodes - 1)
            grid.sync();
    }
}
// ANCHOR_END: inner

extern "C" int launch_grid_sync(const struct kernel_case *c,
                                const struct kernel_env *env, void *const *buf,
                                void *)
{
    struct launch_chain k = launch_chain(c, buf);
    void *args[] = {&k};

    return cudaLaunchCooperativeKernel((const void *)chain, k.blocks,
                                       LAUNCH_THREADS, args, 0,
                                       (cudaStream_t)env->stream);
}

/*
 * kernels/launch/barrier.cuh - the launch of a chain whose blocks wait for each
 * other at the counter of kernels/barrier.cuh.
 */
#ifndef KERNELS_LAUNCH_BARRIER_CUH
#define KERNELS_LAUNCH_BARRIER_CUH

#include "kernels/barrier.cuh"
#include "kernels/launch/launch.cuh"

/* Bytes of scratch: two vectors and a counter. */
static inline size_t barrier_scratch(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "blocks") * LAUNCH_THREADS * 2 *
               sizeof(float) +
           sizeof(unsigned);
}

/* Launches the chain so that all its blocks are on the device at once, in
 * clusters of `cluster`. The counter lies behind the vectors. */
static int barrier_launch(void (*kernel)(struct launch_chain, unsigned *),
                          const struct launch_chain &k, unsigned cluster,
                          cudaStream_t stream)
{
    cudaLaunchAttribute attr[2] = {};
    cudaLaunchConfig_t config = {};

    attr[0].id = cudaLaunchAttributeCooperative;
    attr[0].val.cooperative = 1;
    attr[1].id = cudaLaunchAttributeClusterDimension;
    attr[1].val.clusterDim = {cluster, 1, 1};
    config.gridDim = k.blocks;
    config.blockDim = LAUNCH_THREADS;
    config.stream = stream;
    config.attrs = attr;
    config.numAttrs = cluster > 1 ? 2 : 1;
    return cudaLaunchKernelEx(&config, kernel, k,
                              (unsigned *)(k.half[1] + k.n));
}

#endif

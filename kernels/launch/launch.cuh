/*
 * kernels/launch/launch.cuh - the step that all variants make, and the chain
 * of it as kernels of a stream.
 */
#ifndef KERNELS_LAUNCH_LAUNCH_CUH
#define KERNELS_LAUNCH_LAUNCH_CUH

#include "kernels/launch/launch.h"
#include "kernels/ptx.cuh"
#include "kernels/trace.cuh"

/* The vector that step r writes and the next step reads. */
static __host__ __device__ inline float *
launch_half(const struct launch_chain &k, int r)
{
    return r & 1 ? k.half[1] : k.half[0];
}

static __host__ __device__ inline const float *
launch_from(const struct launch_chain &k, int r)
{
    return r == 0 ? k.v : launch_half(k, r - 1);
}

static __host__ __device__ inline float *launch_to(const struct launch_chain &k,
                                                   int r)
{
    return r == k.nodes - 1 ? k.out : launch_half(k, r);
}

/* One element of a step. It reads what another SM wrote from the L2: within one
 * kernel the L1 may still hold the values of two steps ago. */
static __device__ inline void launch_element(float *to, const float *from,
                                             float x, unsigned i, unsigned n,
                                             unsigned shift)
{
    const unsigned j = i + shift;

    to[i] = __ldcg(from + (j < n ? j : j - n)) + x;
}

/* A step as a kernel. OVERLAP: its blocks come in before the step before has
 * ended, and wait for that; and they let those of the next come in. */
template <bool OVERLAP>
static __global__ void launch_step(float *to, const float *from, const float *x,
                                   unsigned n, unsigned shift)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    TRACE_OPEN(BLOCK, 0, threadIdx.x == 0);
    if (OVERLAP) {
        ptx_next_kernel_may_start();
        TRACE_BEGIN(WAIT, 0);
        ptx_wait_for_last_kernel();
        TRACE_END(WAIT, 0);
    }
    if (i < n)
        launch_element(to, from, *x, i, n, shift);
    TRACE_CLOSE();
}

/* Enqueues the whole chain, a kernel a step, in blocks of `threads`. */
template <bool OVERLAP>
static int launch_steps(const struct launch_chain &k, unsigned threads,
                        cudaStream_t stream)
{
    cudaLaunchAttribute overlap = {};
    cudaLaunchConfig_t config = {};
    int rc = 0;

    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = (k.n + threads - 1) / threads;
    config.blockDim = threads;
    config.stream = stream;
    config.attrs = &overlap;
    config.numAttrs = OVERLAP ? 1 : 0;
    for (int r = 0; r < k.nodes && rc == 0; r++)
        rc = cudaLaunchKernelEx(&config, launch_step<OVERLAP>, launch_to(k, r),
                                launch_from(k, r), k.x + r, k.n, k.shift);
    return rc;
}

#endif

/*
 * kernels/coop/coop.cuh - the rounds, whatever the group does in them.
 *
 * An operation is a class: member() says whether this thread takes part, its
 * constructor prepares for the rounds, its call operator is the operation,
 * and end() is called after the last round. Every member calls all of them.
 */
#ifndef KERNELS_COOP_COOP_CUH
#define KERNELS_COOP_COOP_CUH

#include "kernels/coop/coop.h"
#include "kernels/ptx.cuh"

/* Does this lane take part in a group of scope `coalesced`? */
static __device__ inline bool coop_picked(void)
{
    return threadIdx.x % WARP % 3 != 1;
}

/* Every thread is a member, and end() does nothing. */
struct coop_everybody {
    static __device__ bool member()
    {
        return true;
    }
    __device__ void end(int)
    {
    }
};

template <class OPERATION>
static __global__ void __launch_bounds__(COOP_THREADS)
    coop_rounds(float *out, const float *x, int rounds, float f, void *scratch)
{
    const unsigned i = blockIdx.x * COOP_THREADS + threadIdx.x;
    const float mine = x[i];
    float v = mine;

    if (!OPERATION::member()) {
        out[i] = mine;
        return;
    }
    OPERATION operation(scratch);

#pragma unroll 1
    for (int r = 0; r < rounds; r++)
        v = fmaf(operation(v, r), f, mine);
    out[i] = v;
    operation.end(rounds);
}

/* Launches the rounds: in clusters, or with all blocks on the device, where
 * the scope asks for it. */
template <class OPERATION>
static int coop_launch(const struct kernel_case *c,
                       const struct kernel_env *env, void *const *buf)
{
    const enum coop_scope scope = coop_scope_of(c);
    cudaLaunchAttribute attr = {};
    cudaLaunchConfig_t config = {};

    if (scope == COOP_SCOPE_CLUSTER) {
        attr.id = cudaLaunchAttributeClusterDimension;
        attr.val.clusterDim = {COOP_CLUSTER, 1, 1};
    } else {
        attr.id = cudaLaunchAttributeCooperative;
        attr.val.cooperative = 1;
    }
    config.gridDim = (unsigned)kernel_num(c, "blocks");
    config.blockDim = COOP_THREADS;
    config.stream = (cudaStream_t)env->stream;
    config.attrs = &attr;
    config.numAttrs = scope >= COOP_SCOPE_CLUSTER ? 1 : 0;
    return cudaLaunchKernelEx(
        &config, coop_rounds<OPERATION>, (float *)buf[0], (const float *)buf[1],
        (int)kernel_num(c, "rounds"), coop_factor(c), buf[2]);
}

/* A table of both operations for each scope, and the launch of a case. */
struct coop_table {
    int (*launch[COOP_SCOPES][2])(const struct kernel_case *,
                                  const struct kernel_env *, void *const *);
};

static inline int coop_launch_case(const struct coop_table &table,
                                   const struct kernel_case *c,
                                   const struct kernel_env *env,
                                   void *const *buf)
{
    return table.launch[coop_scope_of(c)][coop_is_scan(c)](c, env, buf);
}

#endif

/*
 * kernels/splitk/gather.cuh - sums of a cluster: the blocks that split a tile
 * run at the same time, and read each other's shared memory.
 */
#ifndef KERNELS_SPLITK_GATHER_CUH
#define KERNELS_SPLITK_GATHER_CUH

#include "kernels/gemm16/product.cuh"
#include "kernels/splitk/ptx.cuh"

enum {
    CLUSTER = 8, /* blocks, at most: what every GPU with clusters takes */
};

/* A tile's outputs: those of tokens from `top` on, HIGH of them, and WIDE
 * outputs of each from `left` on. */
template <int HIGH, int WIDE> struct field {
    int top, left;
};

/* Four neighbours of a row of C, as far as C has them. */
static __device__ __forceinline__ void put_four(const product &p, int row,
                                                int col, float4 v)
{
    uint16_t *const to = p.c + (size_t)row * p.n + col;

    if (p.n % 4 == 0 && col < p.n) {
        *(uint2 *)to = make_uint2(bf16_pair(v.x, v.y), bf16_pair(v.z, v.w));
        return;
    }
    put_pair(p, row, col, v.x, v.y);
    put_pair(p, row, col + 2, v.z, v.w);
}

/*
 * Each block of the cluster has its sums of the tile at `part`, PITCH floats
 * for each token. Adds them up in the order of the blocks, each block its share
 * of the outputs, and puts them to C. All threads of the cluster together.
 */
template <int PITCH, int HIGH, int WIDE>
static __device__ __forceinline__ void
gather(const product &p, const float *part, field<HIGH, WIDE> at, int blocks)
{
    const int fours = WIDE / 4, all = min(p.m - at.top, HIGH) * fours;
    const int first = cluster_rank() * blockDim.x + threadIdx.x;

    cluster_sync(); /* all sums are there */
    // ANCHOR: gather
    for (int e = first; e < all; e += blocks * blockDim.x) {
        const int row = e / fours, col = e % fours * 4;
        float4 v[CLUSTER], sum = make_float4(0, 0, 0, 0);

#pragma unroll
        for (int b = 0; b < CLUSTER; b++)
            if (b < blocks)
                v[b] =
                    cluster_load((const float4 *)(part + row * PITCH + col), b);
#pragma unroll
        for (int b = 0; b < CLUSTER; b++)
            if (b < blocks) {
                sum.x += v[b].x;
                sum.y += v[b].y;
                sum.z += v[b].z;
                sum.w += v[b].w;
            }
        put_four(p, at.top + row, at.left + col, sum);
    }
    // ANCHOR_END: gather
    cluster_sync(); /* nobody reaches into another block any more */
}

/* What a launch says beside its arguments. */
struct in_clusters {
    int blocks, of, threads, shared; /* `of` blocks are a cluster */
    bool early;                      /* before the kernel before has ended */
    void *stream;
};

/* Starts `kernel` so. */
template <class KERNEL, class... ARGS>
static inline int launch_in_clusters(const in_clusters &how, KERNEL *kernel,
                                     const ARGS &...args)
{
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute with[2] = {};

    with[0].id = cudaLaunchAttributeClusterDimension;
    with[0].val.clusterDim.x = how.of;
    with[0].val.clusterDim.y = 1;
    with[0].val.clusterDim.z = 1;
    with[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    with[1].val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = dim3(how.blocks);
    config.blockDim = dim3(how.threads);
    config.dynamicSmemBytes = how.shared;
    config.stream = (cudaStream_t)how.stream;
    config.attrs = with;
    config.numAttrs = how.early ? 2 : 1;
    return cudaLaunchKernelEx(&config, kernel, args...);
}

#endif

/*
 * histogram/cluster - bins spread over a cluster.
 *
 * Hopper starts blocks in clusters, on SMs that can address each other's shared
 * memory. A cluster of four keeps one set of bins: bin b lies in block b % 4.
 * Three of four additions are messages to a neighbour, without an answer;
 * nothing but the bins at the end goes to the L2, and 65536 bins of four bytes
 * have room.
 *
 * Predicted before any run: 1.5 times global atomics or more for 65536
 * bins, and slower than `vector` where a block alone has room.
 */
#include "kernels/histogram/histogram.cuh"

enum {
    THREADS = 1024,
    CLUSTER = 4,
    BLOCKS_PER_SM = 2,
    MOST_BYTES = HISTOGRAM_MAX_BINS / CLUSTER * 4,
};

/* The address, in the cluster's window, of what lies at shared address `at`
   of this block, in block `rank` of the cluster. */
static __device__ uint32_t address_in(uint32_t at, unsigned rank)
{
    uint32_t there;

    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(there)
        : "r"(at), "r"(rank));
    return there;
}

/* Writes of the cluster before it are visible after it. */
static __device__ void cluster_barrier(void)
{
    asm volatile("barrier.cluster.arrive.release.aligned;\n"
                 "barrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
}

// ANCHOR: inner
static __device__ void add(uint32_t bin, unsigned key)
{
    asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], 1;" ::"r"(
                     address_in(bin + key / CLUSTER * 4, key % CLUSTER))
                 : "memory");
}
// ANCHOR_END: inner

static __global__ void __launch_bounds__(THREADS) __cluster_dims__(CLUSTER)
    count(unsigned *counts, const int32_t *keys, size_t n, unsigned bins)
{
    extern __shared__ unsigned part[];
    const uint32_t bin = ptx_smem(part);
    const unsigned rank = blockIdx.x % CLUSTER;
    const auto one = [&](unsigned key) { add(bin, key); };
    const auto take = [&](const auto &v) { histogram_each(v, keys, one); };

    histogram_clear<THREADS>(part, (bins + CLUSTER - 1) / CLUSTER);
    cluster_barrier(); /* the neighbours' bins are clear, too */
    histogram_walk<THREADS>(keys, n, take, take, one);
    cluster_barrier(); /* the neighbours have sent all they had */
    for (unsigned b = rank + CLUSTER * threadIdx.x; b < bins;
         b += CLUSTER * THREADS)
        if (part[b / CLUSTER] != 0)
            atomicAdd(&counts[b], part[b / CLUSTER]);
}

extern "C" const char *histogram_cluster_prepare(const struct kernel_case *,
                                                 const struct kernel_env *,
                                                 void *const *, void **)
{
    if (cudaFuncSetAttribute(count, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             MOST_BYTES) != cudaSuccess)
        return "the device has less than 64 KiB of shared memory per block";
    return NULL;
}

extern "C" int histogram_cluster(const struct kernel_case *c,
                                 const struct kernel_env *env, void *const *buf,
                                 void *)
{
    const unsigned bins = (unsigned)kernel_num(c, "bins");
    const unsigned part = (bins + CLUSTER - 1) / CLUSTER;
    const unsigned most = histogram_grid(c, env, THREADS, BLOCKS_PER_SM);
    const unsigned clusters = (most + CLUSTER - 1) / CLUSTER;
    const cudaError_t err = histogram_zero(c, env, buf[0]);

    if (err != cudaSuccess)
        return err;
    count<<<clusters * CLUSTER, THREADS, part * sizeof(unsigned),
            (cudaStream_t)env->stream>>>((unsigned *)buf[0],
                                         (const int32_t *)buf[1],
                                         (size_t)kernel_num(c, "n"), bins);
    return cudaGetLastError();
}

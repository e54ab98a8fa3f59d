/*
 * softmax/cluster - a cluster of blocks holds the row.
 *
 * A row of 65536 elements fills the registers of an SM, so nothing loads while
 * its one block joins; a longer row does not fit at all. But up to sixteen
 * blocks on neighbouring SMs can form a cluster, whose blocks run at the same
 * time and reach into each other's shared memory. Each block keeps its share of
 * the row packed, joins it, and leaves its maximum and its sum in the shared
 * memory of every block of the cluster; behind the barrier of the cluster each
 * block has all of them. Blocks of 256 threads with 64 bf16 each leave room for
 * four on an SM, however long the row.
 *
 * Predicted before any run: 84 % at 131072 columns. Trials of block sizes, from
 * 256 to 1024 threads and 16 to 64 elements, then chose small blocks that hold
 * much: a cluster starts only when there is room for all of it at once, so the
 * fewer and the smaller its blocks, the less stands empty.
 */
#include "kernels/softmax/packed.cuh"

enum {
    THREADS = 256,
    WARPS = THREADS / WARP,
    PER_SM = 4,       /* blocks */
    MOST_BLOCKS = 16, /* of a cluster; more than 8 must be asked for */
};

/* Elements that a block holds. */
template <typename T>
constexpr int share = rows_width<T> *(int)(THREADS *PACKED_VECTORS);

static __device__ unsigned cluster_rank(void)
{
    unsigned rank;

    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

static __device__ unsigned cluster_size(void)
{
    unsigned size;

    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    return size;
}

/* The two halves of a barrier of all threads of the cluster. Writes before the
 * first half are visible after the second. */
static __device__ void cluster_arrive(void)
{
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}

static __device__ void cluster_wait(void)
{
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

/* *to = p in the shared memory of block `rank` of the cluster. */
static __device__ void cluster_put(softmax_part *to, unsigned rank,
                                   softmax_part p)
{
    asm volatile("{\n"
                 ".reg .b32 there;\n"
                 "mapa.shared::cluster.u32 there, %0, %1;\n"
                 "st.shared::cluster.v2.f32 [there], {%2, %3};\n"
                 "}\n" ::"r"((unsigned)__cvta_generic_to_shared(to)),
                 "r"(rank), "f"(p.top), "f"(p.sum)
                 : "memory");
}

template <typename T, bool WHOLE>
static __global__ void __launch_bounds__(THREADS, PER_SM)
    row_in_cluster(softmax_task<T> task)
{
    constexpr int WIDTH = rows_width<T>;
    __shared__ softmax_part part[WARPS];
    __shared__ __align__(8) softmax_part of_block[MOST_BLOCKS];
    const unsigned rank = cluster_rank(), size = cluster_size();
    const size_t begin = blockIdx.x / size * (size_t)task.cols;
    const int first = rank * share<T> + threadIdx.x * WIDTH;
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;

    // ANCHOR: inner
    uint4 in[PACKED_VECTORS];

    cluster_arrive(); /* this block has begun, and has shared memory */
#pragma unroll
    for (int k = 0; k < PACKED_VECTORS; k++)
        in[k] = rows_load<T, WHOLE>(task.x + begin, first + k * THREADS * WIDTH,
                                    task.cols, rows_minus_infinity<T>());
    const softmax_part mine = packed_part<T>(in, task.steep);
    softmax_part all = softmax_join_warp(mine, task.steep);

    if (lane == 0)
        part[warp] = all;
    __syncthreads();
    cluster_wait(); /* all blocks have begun */
    if (warp == 0) {
        all = softmax_join<1>(part, WARPS, task.steep);
        if (lane < size)
            cluster_put(&of_block[rank], lane, all);
    }
    cluster_arrive();
    cluster_wait(); /* all parts are here, from all blocks */
    all = softmax_join<1>(of_block, size, task.steep);
    packed_finish<T>(in, mine, all, task.steep);
#pragma unroll
    for (int k = 0; k < PACKED_VECTORS; k++)
        rows_store<T, WHOLE>(task.y + begin, first + k * THREADS * WIDTH,
                             task.cols, in[k]);
    // ANCHOR_END: inner
}

/* Blocks for a row: a power of two, since cluster sizes are powers of two. */
template <typename T> static unsigned blocks_of_row(const struct kernel_case *c)
{
    unsigned blocks = 1;

    while (blocks * share<T> < (unsigned)softmax_cols(c))
        blocks *= 2;
    return blocks;
}

template <typename T, bool WHOLE>
static int launch(const struct kernel_case *c, const struct kernel_env *env,
                  void *const *buf)
{
    const softmax_task<T> task = softmax_task_of<T>(c, buf);
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute cluster = {};

    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {blocks_of_row<T>(c), 1, 1};
    config.gridDim = dim3(task.rows * blocks_of_row<T>(c));
    config.blockDim = dim3(THREADS);
    config.stream = (cudaStream_t)env->stream;
    config.attrs = &cluster;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, row_in_cluster<T, WHOLE>, task);
}

extern "C" const char *softmax_cluster_prepare(const struct kernel_case *,
                                               const struct kernel_env *,
                                               void *const *, void **)
{
    const auto large = cudaFuncAttributeNonPortableClusterSizeAllowed;

    if (cudaFuncSetAttribute(row_in_cluster<uint16_t, true>, large, 1) ||
        cudaFuncSetAttribute(row_in_cluster<uint16_t, false>, large, 1) ||
        cudaFuncSetAttribute(row_in_cluster<float, true>, large, 1) ||
        cudaFuncSetAttribute(row_in_cluster<float, false>, large, 1))
        return "the device has no clusters of sixteen blocks";
    return NULL;
}

extern "C" int softmax_cluster(const struct kernel_case *c,
                               const struct kernel_env *env, void *const *buf,
                               void *)
{
    if (c->dtype == KERNEL_BF16)
        return softmax_whole(c) ? launch<uint16_t, true>(c, env, buf)
                                : launch<uint16_t, false>(c, env, buf);
    return softmax_whole(c) ? launch<float, true>(c, env, buf)
                            : launch<float, false>(c, env, buf);
}

/*
 * softmax/cluster - a cluster of blocks holds the row.
 *
 * A row of more than 32768 elements does not fit into the registers of one
 * multiprocessor with room for a second, and one block alone cannot load
 * while it joins. Up to sixteen blocks on neighbouring multiprocessors can
 * form a cluster, whose blocks run at the same time and reach into each
 * other's shared memory. So each block keeps 16384 elements of the row, as in
 * `registers`, and each warp leaves its maximum and its sum in the shared
 * memory of every block of the cluster. The barrier of the cluster takes the
 * place of the barrier of the block; nothing else changes, and two blocks
 * fit on a multiprocessor however long the row is.
 *
 * Predicted before any run: as good as `registers` at its best, 86 % or more
 * up to 131072 columns. A cluster of sixteen, for 262144, must find its
 * places within one group of multiprocessors, so some stay empty: 80 %.
 */
#include "kernels/softmax/row.cuh"

enum {
    THREADS = 512,
    ELEMENTS = 32, /* of a thread */
    SHARE = THREADS * ELEMENTS,
    WARPS = THREADS / ROWS_WARP,
    PER_SM = 2,       /* blocks */
    MOST_BLOCKS = 16, /* of a cluster; more than 8 must be asked for */
};

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

/* The two halves of a barrier of all threads of the cluster. What was
 * written before the first half is seen after the second. */
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
    constexpr int WIDTH = rows_width<T>, VECTORS = ELEMENTS / WIDTH;
    __shared__ __align__(8) softmax_part part[MOST_BLOCKS * WARPS];
    const unsigned rank = cluster_rank(), size = cluster_size();
    const size_t row = blockIdx.x / size;
    const T *x = task.x + row * task.cols;
    T *y = task.y + row * task.cols;
    const int first = rank * SHARE + threadIdx.x * WIDTH;
    const int warp = threadIdx.x / ROWS_WARP, lane = threadIdx.x % ROWS_WARP;
    float v[ELEMENTS];

    // ANCHOR: inner
    uint4 in[VECTORS];

    cluster_arrive(); /* this block has begun, and has shared memory */
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        in[k] = rows_load<T, WHOLE>(x, first + k * THREADS * WIDTH, task.cols,
                                    rows_minus_infinity<T>());
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        rows_unpack<T>(in[k], v + k * WIDTH);
    const softmax_part mine = softmax_raise(v, task.steep);
    softmax_part all = softmax_join_warp(mine, task.steep);

    cluster_wait(); /* all blocks have begun */
    if (lane < size)
        cluster_put(&part[rank * WARPS + warp], lane, all);
    cluster_arrive();
    cluster_wait(); /* all parts are here, from all blocks */
    all = softmax_join<MOST_BLOCKS * WARPS / ROWS_WARP>(part, size * WARPS,
                                                        task.steep);
    const float factor = softmax_factor(mine.top, all, task.steep);
#pragma unroll
    for (int i = 0; i < ELEMENTS; i++)
        v[i] *= factor;
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        rows_store<T, WHOLE>(y, first + k * THREADS * WIDTH, task.cols,
                             rows_pack<T>(v + k * WIDTH));
    // ANCHOR_END: inner
}

/* Blocks for a row: a power of two, as the hardware likes clusters. */
static unsigned blocks_of_row(const struct kernel_case *c)
{
    unsigned blocks = 1;

    while (blocks * SHARE < (unsigned)softmax_cols(c))
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
    cluster.val.clusterDim = {blocks_of_row(c), 1, 1};
    config.gridDim = dim3(task.rows * blocks_of_row(c));
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

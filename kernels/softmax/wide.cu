/*
 * softmax/wide - half as many elements a thread, and a row further on asked
 * for.
 *
 * `ahead` holds 32 elements in a thread, and its registers leave room for
 * about half of the warps that a multiprocessor can have. Triton's kernel for
 * the same rows has room for all of them, needs twice the instructions, asks
 * for nothing in advance, and is between `registers` and `ahead`. So here are
 * both: 16 elements a thread in 32 registers, and the prefetch into L2.
 *
 * Predicted before any run: next to nothing. What more warps are for, bytes
 * under way while others wait, the prefetch does already.
 */
#include "kernels/ptx.cuh"
#include "kernels/softmax/row.cuh"

enum {
    ELEMENTS = 16,   /* of a thread */
    SMALLEST = 128,  /* threads of a block that has several rows */
    PER_SM = 2048,   /* threads: leaves 32 registers for each */
    LARGEST = 1024,  /* threads of a block: rows of 16384 elements */
    AHEAD = 3 << 19, /* bytes: 1.5 MiB */
    ROWS_AHEAD = 48, /* at least */
};

constexpr int block_of(int threads)
{
    return threads == ROWS_WARP ? (int)SMALLEST : threads;
}

/* THREADS threads for each row. */
template <typename T, int THREADS>
static __global__ void __launch_bounds__(block_of(THREADS),
                                         PER_SM / block_of(THREADS))
    row_wide(softmax_task<T> task)
{
    constexpr int WIDTH = rows_width<T>, VECTORS = ELEMENTS / WIDTH;
    constexpr int WARPS = THREADS / ROWS_WARP;
    const int row = blockIdx.x * (blockDim.x / THREADS) + threadIdx.x / THREADS;
    const int thread = threadIdx.x % THREADS;
    const T *x = task.x + (size_t)row * task.cols;
    T *y = task.y + (size_t)row * task.cols;
    float v[ELEMENTS];

    if (row >= task.rows)
        return;
    // ANCHOR: inner
    const int bytes = task.cols * sizeof(T);
    const int ahead = max(AHEAD / bytes, (int)ROWS_AHEAD);
    uint4 in[VECTORS];

    if (thread == 0 && row + ahead < task.rows)
        ptx_bulk_prefetch(x + (size_t)ahead * task.cols, bytes);
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        in[k] = rows_load<T, true>(x, (thread + k * THREADS) * WIDTH, task.cols,
                                   rows_minus_infinity<T>());
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        rows_unpack<T>(in[k], v + k * WIDTH);
    const softmax_part mine = softmax_raise(v, task.steep);
    softmax_part all = softmax_join_warp(mine, task.steep);

    if (WARPS > 1) {
        __shared__ softmax_part part[WARPS];

        if (thread % ROWS_WARP == 0)
            part[thread / ROWS_WARP] = all;
        __syncthreads();
        all = softmax_join<1>(part, WARPS, task.steep);
    }
    const float factor = softmax_factor(mine.top, all, task.steep);
#pragma unroll
    for (int i = 0; i < ELEMENTS; i++)
        v[i] *= factor;
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        rows_store<T, true>(y, (thread + k * THREADS) * WIDTH, task.cols,
                            rows_pack<T>(v + k * WIDTH));
    // ANCHOR_END: inner
}

/* With the fewest threads that can hold a row. */
template <typename T, int THREADS = ROWS_WARP>
static int launch(const struct kernel_case *c, cudaStream_t stream,
                  void *const *buf)
{
    if constexpr (THREADS < LARGEST)
        if (softmax_cols(c) > THREADS * ELEMENTS)
            return launch<T, 2 * THREADS>(c, stream, buf);
    const softmax_task<T> task = softmax_task_of<T>(c, buf);
    constexpr int BLOCK = block_of(THREADS), ROWS = BLOCK / THREADS;

    row_wide<T, THREADS>
        <<<(task.rows + ROWS - 1) / ROWS, BLOCK, 0, stream>>>(task);
    return cudaGetLastError();
}

extern "C" int softmax_wide(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *)
{
    const cudaStream_t stream = (cudaStream_t)env->stream;

    return c->dtype == KERNEL_BF16 ? launch<uint16_t>(c, stream, buf)
                                   : launch<float>(c, stream, buf);
}

/*
 * softmax/ahead - the row in registers, and a row further on asked for.
 *
 * A block of `registers` has bytes in flight only while it loads: not while it
 * joins, raises and writes, nor in the microsecond before its first request
 * arrives. Here the first thread of a row begins by asking L2 for the row that
 * lies 1.5 MiB further on: one instruction, nobody waits for it. Some block
 * will need that row soon, finds it in L2 and is done with loading in half the
 * time. So memory is read in the order of addresses, in whole rows, at the
 * pace at which blocks start, and the state of a block no longer matters.
 *
 * Expected, after trials of the distance and of hints: a few per cent more than
 * `registers`, and most for the longest rows, whose blocks are alone on their
 * multiprocessor. For those 1.5 MiB are too few rows: 48 rows at least. To mark
 * the loads as used once, which helps without a prefetch, takes back what it
 * gains.
 */
#include "kernels/ptx.cuh"
#include "kernels/softmax/row.cuh"

enum {
    ELEMENTS = 32,   /* of a thread */
    SMALLEST = 128,  /* threads of a block that has several rows */
    PER_SM = 1024,   /* threads: leaves 64 registers for each */
    LARGEST = 1024,  /* threads of a block */
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
    row_and_one_ahead(softmax_task<T> task)
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

    row_and_one_ahead<T, THREADS>
        <<<(task.rows + ROWS - 1) / ROWS, BLOCK, 0, stream>>>(task);
    return cudaGetLastError();
}

extern "C" int softmax_ahead(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const cudaStream_t stream = (cudaStream_t)env->stream;

    return c->dtype == KERNEL_BF16 ? launch<uint16_t>(c, stream, buf)
                                   : launch<float>(c, stream, buf);
}

/*
 * softmax/ahead - the row in registers, and a prefetch of a later row.
 *
 * A block of `registers` has bytes in flight only while it loads: not while it
 * joins, raises and writes, nor in the microsecond before its first request
 * arrives. Here the first thread of a row begins by asking the L2 for the row
 * 1.5 MiB further on, with one instruction that no thread waits for. The block
 * that needs this row soon after finds it in the L2 and loads it in half the
 * time. So memory is read in address order, in whole rows, at the pace at which
 * blocks start, whatever state each block is in.
 *
 * Expected, after trials of the distance and of hints: a few per cent more than
 * `registers`, and most for the longest rows, whose blocks are alone on their
 * SM. For those 1.5 MiB are too few rows: 48 rows at least. To mark the loads
 * as used once, which helps without a prefetch, takes back what it gains.
 */
#include "kernels/knob.cuh"
#include "kernels/ptx.cuh"
#include "kernels/softmax/held.cuh"
#include "kernels/trace.cuh"

enum {
    ELEMENTS = 32,         /* of a thread */
    SMALLEST = 128,        /* threads of a block that has several rows */
    PER_SM = 1024,         /* threads: leaves 64 registers for each */
    LARGEST = 1024,        /* threads of a block */
    AHEAD = KNOB(3 << 19), /* bytes: 1.5 MiB */
    ROWS_AHEAD = 48,       /* at least */
};

constexpr int block_of(int threads)
{
    return threads == WARP ? (int)SMALLEST : threads;
}

/* THREADS threads for each row. */
template <typename T, int THREADS>
static __global__ void __launch_bounds__(block_of(THREADS),
                                         PER_SM / block_of(THREADS))
    row_and_one_ahead(softmax_task<T> task)
{
    const int row = blockIdx.x * (blockDim.x / THREADS) + threadIdx.x / THREADS;
    const int thread = threadIdx.x % THREADS;
    const T *x = task.x + (size_t)row * task.cols;
    T *y = task.y + (size_t)row * task.cols;
    float v[ELEMENTS];

    if (row >= task.rows)
        return;
    TRACE_OPEN(BLOCK, 0, threadIdx.x == 0);
    // ANCHOR: inner
    const int bytes = task.cols * sizeof(T);
    const int ahead = max(AHEAD / bytes, (int)ROWS_AHEAD);
    if (thread == 0 && row + ahead < task.rows)
        ptx_bulk_prefetch(x + (size_t)ahead * task.cols, bytes);
    TRACE_BEGIN(LOAD, row);
    held_load<T, THREADS, true>(v, x, thread, task.cols);
    const softmax_part mine = softmax_raise(v, task.steep);
    TRACE_END(LOAD, row);
    TRACE_BEGIN(REDUCE, row);
    const softmax_part all = held_join<THREADS>(mine, thread, task.steep);
    const float factor = softmax_factor(mine.top, all, task.steep);

    TRACE_END(REDUCE, row);
    TRACE_BEGIN(STORE, row);
    held_store<T, THREADS, true>(y, v, factor, thread, task.cols);
    TRACE_END(STORE, row);
    // ANCHOR_END: inner
    TRACE_CLOSE();
}

/* With the fewest threads that can hold a row. */
template <typename T, int THREADS = WARP>
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

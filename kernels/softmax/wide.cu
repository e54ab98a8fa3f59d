/*
 * softmax/wide - half as many elements a thread, and a prefetch of a later row.
 *
 * `ahead` holds 32 elements in a thread, and its registers leave room for about
 * half of the warps that an SM can have. Triton's kernel for the same rows has
 * room for all of them, needs twice the instructions, asks for nothing in
 * advance, and is between `registers` and `ahead`. So here are both: 16
 * elements a thread in 32 registers, and the prefetch into L2.
 *
 * Predicted before any run: next to nothing. What more warps are for, bytes in
 * flight while others wait, the prefetch does already.
 */
#include "kernels/ptx.cuh"
#include "kernels/softmax/held.cuh"

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
    return threads == WARP ? (int)SMALLEST : threads;
}

/* THREADS threads for each row. */
template <typename T, int THREADS>
static __global__ void __launch_bounds__(block_of(THREADS),
                                         PER_SM / block_of(THREADS))
    row_wide(softmax_task<T> task)
{
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
    if (thread == 0 && row + ahead < task.rows)
        ptx_bulk_prefetch(x + (size_t)ahead * task.cols, bytes);
    held_load<T, THREADS, true>(v, x, thread, task.cols);
    const softmax_part mine = softmax_raise(v, task.steep);
    const softmax_part all = held_join<THREADS>(mine, thread, task.steep);
    const float factor = softmax_factor(mine.top, all, task.steep);

    held_store<T, THREADS, true>(y, v, factor, thread, task.cols);
    // ANCHOR_END: inner
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

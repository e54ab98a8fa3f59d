/*
 * softmax/registers - the row stays in registers.
 *
 * A block that keeps its row need not read it twice. A thread loads its share
 * of the row, all of it at once, in vectors of 16 bytes: those are the bytes in
 * flight. Then it takes its own maximum, raises 2 to the power of each element
 * relative to that, and keeps the powers where the elements were. The threads
 * join only two numbers each, maximum and sum, at once and behind one barrier.
 * At the end a thread multiplies its powers with a factor that makes up for its
 * own maximum. The three steps are functions of held.cuh.
 *
 * So there is one read, one write, one exponential an element, and one barrier
 * a row. A thread holds 32 elements, so a row of 1024 takes a warp, one of 8192
 * a block of 256, one of 32768 a block of 1024. While a block waits for its
 * row, the others of the SM compute or write.
 *
 * Predicted before any run: 86 % at 8192 columns. Less for the longest row,
 * whose block has the SM for itself: nobody loads while it joins.
 */
#include "kernels/softmax/held.cuh"

enum {
    ELEMENTS = 32,  /* of a thread */
    SMALLEST = 128, /* threads of a block that has several rows */
    PER_SM = 1024,  /* threads: leaves 64 registers for each */
    LARGEST = 1024, /* threads of a block */
};

/* THREADS threads for each row. */
template <typename T, int THREADS, bool WHOLE>
static __global__ void
__launch_bounds__(THREADS > SMALLEST ? THREADS : SMALLEST,
                  PER_SM / (THREADS > SMALLEST ? THREADS : SMALLEST))
    row_in_registers(softmax_task<T> task)
{
    const int rows = THREADS == WARP ? SMALLEST / THREADS : 1;
    const int row = blockIdx.x * rows + threadIdx.x / THREADS;
    const int thread = threadIdx.x % THREADS;
    const T *x = task.x + (size_t)row * task.cols;
    T *y = task.y + (size_t)row * task.cols;
    float v[ELEMENTS];

    if (row >= task.rows)
        return;
    // ANCHOR: inner
    held_load<T, THREADS, WHOLE>(v, x, thread, task.cols);
    const softmax_part mine = softmax_raise(v, task.steep);
    const softmax_part all = held_join<THREADS>(mine, thread, task.steep);
    const float factor = softmax_factor(mine.top, all, task.steep);

    held_store<T, THREADS, WHOLE>(y, v, factor, thread, task.cols);
    // ANCHOR_END: inner
}

template <typename T, int THREADS>
static int launch(const struct kernel_case *c, cudaStream_t stream,
                  void *const *buf)
{
    const softmax_task<T> task = softmax_task_of<T>(c, buf);
    const int rows = THREADS == WARP ? SMALLEST / THREADS : 1;
    const int grid = (task.rows + rows - 1) / rows;

    if (softmax_whole(c))
        row_in_registers<T, THREADS, true>
            <<<grid, rows * THREADS, 0, stream>>>(task);
    else
        row_in_registers<T, THREADS, false>
            <<<grid, rows * THREADS, 0, stream>>>(task);
    return cudaGetLastError();
}

/* The fewest threads that can hold a row. */
template <typename T, int THREADS = WARP>
static int launch_fewest(const struct kernel_case *c, cudaStream_t stream,
                         void *const *buf)
{
    if constexpr (THREADS < LARGEST)
        if (softmax_cols(c) > THREADS * ELEMENTS)
            return launch_fewest<T, 2 * THREADS>(c, stream, buf);
    return launch<T, THREADS>(c, stream, buf);
}

extern "C" int softmax_registers(const struct kernel_case *c,
                                 const struct kernel_env *env, void *const *buf,
                                 void *)
{
    const cudaStream_t stream = (cudaStream_t)env->stream;

    return c->dtype == KERNEL_BF16 ? launch_fewest<uint16_t>(c, stream, buf)
                                   : launch_fewest<float>(c, stream, buf);
}

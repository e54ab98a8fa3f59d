/*
 * softmax/packed - the row in registers, packed as it was loaded.
 *
 * A power of two in f32 takes twice the registers of the bf16 that it was made
 * of, and the registers are what limits the length of a row. So here a thread
 * keeps the elements, 64 of them in 32 registers, and takes the exponential
 * twice: for the sum, and again, relative to the whole row, for the result. A
 * block of 1024 threads holds 65536 elements of bf16, twice what `registers`
 * can. f32 gains nothing from it, and is treated as there.
 *
 * Expected, after a trial: a way to longer rows, not to shorter times. Two
 * exponentials an element keep the special-function units busy for more than
 * half of the time that the memory takes, and what is not hidden behind it
 * shows.
 */
#include "kernels/softmax/packed.cuh"

enum {
    SMALLEST = 64, /* threads of a block */
    LARGEST = 1024,
    PER_SM = 1024, /* threads: leaves 64 registers for each */
};

template <typename T, int THREADS>
static __global__ void __launch_bounds__(THREADS, PER_SM / THREADS)
    row_packed(softmax_task<T> task)
{
    constexpr int WIDTH = rows_width<T>, WARPS = THREADS / WARP;
    __shared__ softmax_part part[WARPS];
    const size_t begin = blockIdx.x * (size_t)task.cols;
    const int first = threadIdx.x * WIDTH;

    // ANCHOR: inner
    uint4 in[PACKED_VECTORS];

#pragma unroll
    for (int k = 0; k < PACKED_VECTORS; k++)
        in[k] = rows_load<T, true>(task.x + begin, first + k * THREADS * WIDTH,
                                   task.cols, rows_minus_infinity<T>());
    const softmax_part mine = packed_part<T>(in, task.steep);
    softmax_part all = softmax_join_warp(mine, task.steep);

    if (threadIdx.x % WARP == 0)
        part[threadIdx.x / WARP] = all;
    __syncthreads();
    all = softmax_join<1>(part, WARPS, task.steep);
    packed_finish<T>(in, mine, all, task.steep);
#pragma unroll
    for (int k = 0; k < PACKED_VECTORS; k++)
        rows_store<T, true>(task.y + begin, first + k * THREADS * WIDTH,
                            task.cols, in[k]);
    // ANCHOR_END: inner
}

/* With the fewest threads that can hold a row. */
template <typename T, int THREADS = SMALLEST>
static int launch(const struct kernel_case *c, cudaStream_t stream,
                  void *const *buf)
{
    if constexpr (THREADS < LARGEST)
        if (softmax_cols(c) > THREADS * PACKED_VECTORS * rows_width<T>)
            return launch<T, 2 * THREADS>(c, stream, buf);
    const softmax_task<T> task = softmax_task_of<T>(c, buf);

    row_packed<T, THREADS><<<task.rows, THREADS, 0, stream>>>(task);
    return cudaGetLastError();
}

extern "C" int softmax_packed(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *)
{
    const cudaStream_t stream = (cudaStream_t)env->stream;

    return c->dtype == KERNEL_BF16 ? launch<uint16_t>(c, stream, buf)
                                   : launch<float>(c, stream, buf);
}

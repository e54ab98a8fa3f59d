/*
 * softmax/block - one block a row, three passes.
 *
 * The same three passes, but 256 threads share a row. The work per element does
 * not change, and two barriers a row are added. What changes is how many rows
 * are at work at a time: 8 for each SM instead of 64, so that what the first
 * pass has read is still in L2, or even in L1, when the second and third come
 * back for it.
 *
 * Predicted before any run: at 8192 columns of bf16 the rows at work are
 * 17 MB, well within L2, so only the first pass pays for memory: 60 % or
 * more of the bandwidth. What holds it there are 2-byte accesses.
 */
#include "kernels/softmax/row.cuh"

enum { THREADS = 256, WARPS = THREADS / WARP };

/* All threads get the greatest, or the sum, of what they bring. */
template <bool MAX> static __device__ float over_block(float v)
{
    __shared__ float part[WARPS];
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;

    v = MAX ? softmax_max_warp(v) : sum_warp(v);
    if (lane == 0)
        part[warp] = v;
    __syncthreads();
    v = part[lane % WARPS];
    return MAX ? softmax_max_warp(v) : sum_warp(lane < WARPS ? v : 0.0f);
}

template <typename T>
static __global__ void __launch_bounds__(THREADS)
    three_passes(softmax_task<T> task)
{
    const size_t row = blockIdx.x;
    const T *x = task.x + row * task.cols;
    T *y = task.y + row * task.cols;
    float top = -CUDART_INF_F, sum = 0;

    // ANCHOR: inner
    for (int i = threadIdx.x; i < task.cols; i += THREADS)
        top = fmaxf(top, rows_value(x[i]));
    top = over_block<true>(top);
    for (int i = threadIdx.x; i < task.cols; i += THREADS)
        sum += softmax_exp2((rows_value(x[i]) - top) * task.steep);
    const float inverse = 1 / over_block<false>(sum);
    for (int i = threadIdx.x; i < task.cols; i += THREADS)
        rows_put(&y[i],
                 softmax_exp2((rows_value(x[i]) - top) * task.steep) * inverse);
    // ANCHOR_END: inner
}

template <typename T>
static int launch(const struct kernel_case *c, cudaStream_t stream,
                  void *const *buf)
{
    const softmax_task<T> task = softmax_task_of<T>(c, buf);

    three_passes<T><<<task.rows, THREADS, 0, stream>>>(task);
    return cudaGetLastError();
}

extern "C" int softmax_block(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const cudaStream_t stream = (cudaStream_t)env->stream;

    return c->dtype == KERNEL_BF16 ? launch<uint16_t>(c, stream, buf)
                                   : launch<float>(c, stream, buf);
}

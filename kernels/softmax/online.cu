/*
 * softmax/online - maximum and sum in one pass.
 *
 * A running sum of exponentials is relative to the maximum so far. When a
 * greater element comes, the sum so far is worth less by a factor that is
 * known: exp(old - new). So one pass can carry both, and the row is read
 * twice instead of three times (Milakov and Gimelshein, arXiv 1805.02867).
 * It costs no exponential more: of 2^(old - new) and 2^(x - max) one is
 * always 1, and the other is 2^-|x - old|.
 *
 * Predicted before any run: a pass over L2 less is a little less time. But
 * each element now waits for the one before it, through a comparison and an
 * exponential, and the loads wait behind that. No more than a tenth over
 * `block`; slower would not surprise me.
 */
#include "kernels/softmax/row.cuh"

#include <float.h>

enum { THREADS = 256, WARPS = THREADS / WARP };

/* p with the element x. x - x is 0, or no number if x is infinite. */
static __device__ softmax_part with(softmax_part p, float x, float steep)
{
    const float less = softmax_exp2(-fabsf(x - p.top) * steep);

    return x > p.top ? softmax_part{x, fmaf(p.sum, less, 1 + (x - x))}
                     : softmax_part{p.top, p.sum + less};
}

template <typename T>
static __global__ void __launch_bounds__(THREADS)
    two_passes(softmax_task<T> task)
{
    __shared__ softmax_part part[WARPS];
    const size_t row = blockIdx.x;
    const T *x = task.x + row * task.cols;
    T *y = task.y + row * task.cols;

    // ANCHOR: inner
    softmax_part mine = {-FLT_MAX, 0};

    for (int i = threadIdx.x; i < task.cols; i += THREADS)
        mine = with(mine, rows_value(x[i]), task.steep);
    mine = softmax_join_warp(mine, task.steep);
    if (threadIdx.x % WARP == 0)
        part[threadIdx.x / WARP] = mine;
    __syncthreads();
    const softmax_part all = softmax_join<1>(part, WARPS, task.steep);
    const float inverse = 1 / all.sum;
    for (int i = threadIdx.x; i < task.cols; i += THREADS)
        rows_put(&y[i],
                 softmax_exp2((rows_value(x[i]) - all.top) * task.steep) *
                     inverse);
    // ANCHOR_END: inner
}

template <typename T>
static int launch(const struct kernel_case *c, cudaStream_t stream,
                  void *const *buf)
{
    const softmax_task<T> task = softmax_task_of<T>(c, buf);

    two_passes<T><<<task.rows, THREADS, 0, stream>>>(task);
    return cudaGetLastError();
}

extern "C" int softmax_online(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *)
{
    const cudaStream_t stream = (cudaStream_t)env->stream;

    return c->dtype == KERNEL_BF16 ? launch<uint16_t>(c, stream, buf)
                                   : launch<float>(c, stream, buf);
}

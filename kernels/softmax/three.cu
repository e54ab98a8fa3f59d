/*
 * softmax/three - the textbook: a warp a row, three passes.
 *
 * y[r][i] = exp(s x[r][i]) / (sum of exp(s x[r][k]) over k)
 *
 * The definition, step by step: the maximum of the row, without which exp()
 * would overflow; the sum of the exponentials; then the quotients. A warp
 * takes a row, its lanes stand side by side on neighbouring elements, and the
 * row is read from global memory three times.
 *
 * Predicted before any run: counting passes, 4 instead of 2 are half the
 * bandwidth, unless the second and the third pass find the row in L2. A full
 * machine has 8448 warps, so as many rows at work: at 8192 columns of bf16
 * that is 138 MB, twice the L2. Around 40 %.
 */
#include "kernels/softmax/row.cuh"

enum { ROWS = 8 }; /* of a block, a warp each */

template <typename T>
static __global__ void __launch_bounds__(ROWS *WARP)
    three_passes(softmax_task<T> task)
{
    const int row = blockIdx.x * ROWS + threadIdx.x / WARP;
    const int lane = threadIdx.x % WARP;
    const T *x = task.x + (size_t)row * task.cols;
    T *y = task.y + (size_t)row * task.cols;
    float top = -CUDART_INF_F, sum = 0;

    if (row >= task.rows)
        return;
    // ANCHOR: inner
    for (int i = lane; i < task.cols; i += WARP)
        top = fmaxf(top, rows_value(x[i]));
    top = softmax_max_warp(top);
    for (int i = lane; i < task.cols; i += WARP)
        sum += softmax_exp2((rows_value(x[i]) - top) * task.steep);
    const float inverse = 1 / sum_warp(sum);
    for (int i = lane; i < task.cols; i += WARP)
        rows_put(&y[i],
                 softmax_exp2((rows_value(x[i]) - top) * task.steep) * inverse);
    // ANCHOR_END: inner
}

template <typename T>
static int launch(const struct kernel_case *c, cudaStream_t stream,
                  void *const *buf)
{
    const softmax_task<T> task = softmax_task_of<T>(c, buf);
    const int grid = (task.rows + ROWS - 1) / ROWS;

    three_passes<T><<<grid, ROWS * WARP, 0, stream>>>(task);
    return cudaGetLastError();
}

extern "C" int softmax_three(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const cudaStream_t stream = (cudaStream_t)env->stream;

    return c->dtype == KERNEL_BF16 ? launch<uint16_t>(c, stream, buf)
                                   : launch<float>(c, stream, buf);
}

/*
 * norm/two - the definition: a block a row, the mean, then the deviations.
 *
 * The mean of the row, in a first pass; the mean square of the deviations
 * from it, in a second; the result in a third. RMSNorm has no mean to take
 * off, so it has a pass less. 256 threads share a row and load an element at
 * a time.
 *
 * Predicted before any run: the passes after the first find the row in L2, as
 * in softmax/block; without exponentials 65 % or more for layernorm.
 */
#include "kernels/norm/row.cuh"

enum { THREADS = 256, WARPS = THREADS / WARP };

template <bool LAYER>
static __global__ void __launch_bounds__(THREADS) passes(norm_task t)
{
    __shared__ norm_pair part[2][WARPS];
    const size_t begin = blockIdx.x * (size_t)t.cols;
    const uint16_t *x = t.x + begin;
    uint16_t *y = t.y + begin;
    norm_pair sum = {0, 0}, square = {0, 0};
    float mean = 0;

    // ANCHOR: inner
    if (LAYER) {
        for (int i = threadIdx.x; i < t.cols; i += THREADS)
            sum.sum += bf16_value(x[i]);
        mean = norm_over_row<THREADS>(sum, part[0]).sum / t.cols;
    }
    for (int i = threadIdx.x; i < t.cols; i += THREADS) {
        const float off = bf16_value(x[i]) - mean;

        square.sum += off * off;
    }
    const float variance = norm_over_row<THREADS>(square, part[1]).sum / t.cols;
    const float by = rsqrtf(variance + NORM_EPS);
    for (int i = threadIdx.x; i < t.cols; i += THREADS)
        y[i] = bf16_round((bf16_value(x[i]) - mean) * by * bf16_value(t.w[i]) +
                          (LAYER ? bf16_value(t.bias[i]) : 0.0f));
    // ANCHOR_END: inner
}

extern "C" int norm_two(const struct kernel_case *c,
                        const struct kernel_env *env, void *const *buf, void *)
{
    const norm_task t = norm_task_of(c, buf);
    const auto kernel =
        norm_op_of(c) == NORM_LAYER ? passes<true> : passes<false>;

    kernel<<<t.rows, THREADS, 0, (cudaStream_t)env->stream>>>(t);
    return cudaGetLastError();
}

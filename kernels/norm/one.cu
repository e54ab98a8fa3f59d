/*
 * norm/one - sum and sum of squares in one pass.
 *
 * E (x - E x)^2 = E x^2 - (E x)^2, so one pass can collect both sums and the
 * row is read twice instead of three times. Numerical analysts warn of this
 * formula: if the mean is large beside the deviations, the variance is the
 * difference of two nearly equal numbers. It is harmless for activations with a
 * mean near 0, and for the inputs measured here.
 *
 * Predicted before any run: a pass less over L2 is a tenth of the time.
 */
#include "kernels/norm/row.cuh"

enum { THREADS = 256, WARPS = THREADS / WARP };

static __global__ void __launch_bounds__(THREADS) layer_in_two(norm_task t)
{
    __shared__ norm_pair part[2][WARPS];
    const size_t begin = blockIdx.x * (size_t)t.cols;
    const uint16_t *x = t.x + begin;
    uint16_t *y = t.y + begin;

    // ANCHOR: inner
    norm_pair sum = {0, 0}, square = {0, 0};

    for (int i = threadIdx.x; i < t.cols; i += THREADS) {
        const float v = bf16_value(x[i]);

        sum.sum += v;
        square.sum += v * v;
    }
    const float mean = norm_over_row<THREADS>(sum, part[0]).sum / t.cols;
    const float size = norm_over_row<THREADS>(square, part[1]).sum / t.cols;
    const float variance = fmaxf(size - mean * mean, 0.0f);
    const float by = rsqrtf(variance + NORM_EPS);
    // ANCHOR_END: inner
    for (int i = threadIdx.x; i < t.cols; i += THREADS)
        y[i] = bf16_round((bf16_value(x[i]) - mean) * by * bf16_value(t.w[i]) +
                          bf16_value(t.bias[i]));
}

extern "C" int norm_one(const struct kernel_case *c,
                        const struct kernel_env *env, void *const *buf, void *)
{
    const norm_task t = norm_task_of(c, buf);

    layer_in_two<<<t.rows, THREADS, 0, (cudaStream_t)env->stream>>>(t);
    return cudaGetLastError();
}

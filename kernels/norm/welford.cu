/*
 * norm/welford - a running mean and the deviations from it, in one pass.
 *
 * Welford's recurrence (Technometrics 4, 1962) keeps the mean of what it has
 * seen and the sum of squares about that mean, and never subtracts two large
 * numbers. Two such parts are joined by the formula of Chan, Golub and
 * LeVeque (1979), lane by lane and warp by warp. It reads as little as `one`
 * and is as exact as `two`. The price is a chain through every element: a
 * difference, a quotient, a new mean, a new sum.
 *
 * Predicted before any run: slower than `one`, since the chain is longer
 * than a load from L2 hides.
 */
#include "kernels/norm/row.cuh"

enum { THREADS = 256, WARPS = THREADS / WARP };

/* What is known of some elements of a row. */
struct part_of_row {
    float n, mean, squares; /* squares: sum about the mean */
};

static __device__ part_of_row join(part_of_row a, part_of_row b)
{
    const float n = a.n + b.n, off = b.mean - a.mean;
    const float share = n > 0 ? b.n / n : 0.0f;

    return {n, a.mean + off * share,
            a.squares + b.squares + off * off * a.n * share};
}

static __device__ part_of_row join_warp(part_of_row p)
{
    for (int lane = WARP / 2; lane > 0; lane /= 2)
        p = join(p, {__shfl_xor_sync(0xffffffff, p.n, lane),
                     __shfl_xor_sync(0xffffffff, p.mean, lane),
                     __shfl_xor_sync(0xffffffff, p.squares, lane)});
    return p;
}

static __global__ void __launch_bounds__(THREADS) layer_in_two(norm_task t)
{
    __shared__ part_of_row part[WARPS];
    const size_t begin = blockIdx.x * (size_t)t.cols;
    const uint16_t *x = t.x + begin;
    uint16_t *y = t.y + begin;
    const int lane = threadIdx.x % WARP;

    // ANCHOR: inner
    part_of_row p = {0, 0, 0};

    for (int i = threadIdx.x; i < t.cols; i += THREADS) {
        const float off = bf16_value(x[i]) - p.mean;

        p.n += 1;
        p.mean += __fdividef(off, p.n);
        p.squares += off * (bf16_value(x[i]) - p.mean);
    }
    p = join_warp(p);
    if (lane == 0)
        part[threadIdx.x / WARP] = p;
    __syncthreads();
    p = join_warp(lane < WARPS ? part[lane] : part_of_row{0, 0, 0});
    const float by = rsqrtf(p.squares / t.cols + NORM_EPS);
    // ANCHOR_END: inner
    for (int i = threadIdx.x; i < t.cols; i += THREADS)
        y[i] =
            bf16_round((bf16_value(x[i]) - p.mean) * by * bf16_value(t.w[i]) +
                       bf16_value(t.bias[i]));
}

extern "C" int norm_welford(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *)
{
    const norm_task t = norm_task_of(c, buf);

    layer_in_two<<<t.rows, THREADS, 0, (cudaStream_t)env->stream>>>(t);
    return cudaGetLastError();
}

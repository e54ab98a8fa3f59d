/*
 * gemv/naive - a thread computes an output.
 *
 * y[m][n] = Σ_k x[m][k] W[n][k]; blockIdx.y is the token m.
 *
 * Thread n walks along row n of W. It is the loop from the textbook with the
 * outer loop spread over threads.
 *
 * The 32 threads of a warp walk along 32 different rows, 2k bytes apart. Each
 * load of the warp touches 32 sectors of 32 bytes and takes two bytes from
 * each. The next 15 steps use the other 30 bytes, and the L1 may still hold
 * them then: 2048 threads an SM have 2048 sectors in use, 64 KB, which fits in
 * L1. The cost lies elsewhere: a warp makes 32 requests where one would do, and
 * each thread waits for its load before the next.
 *
 * Predicts: a few per cent of peak. n = 28672 threads fill only 224 of
 * the 1056 places for blocks of 256, so the machine is not even full.
 */
#include "kernels/gemv/linear.cuh"

enum { THREADS = 256 };

static __global__ void __launch_bounds__(THREADS) naive(struct linear l)
{
    // ANCHOR: inner
    int row = blockIdx.x * THREADS + threadIdx.x, token = blockIdx.y;
    const uint16_t *w = l.w + (size_t)row * l.k;
    const uint16_t *x = l.x + (size_t)token * l.k;
    float sum = 0;

    if (row >= l.n)
        return;
    for (int i = 0; i < l.k; i++)
        sum += bf16_value(w[i]) * bf16_value(x[i]);
    l.y[(size_t)token * l.n + row] = bf16_round(sum);
    // ANCHOR_END: inner
}

extern "C" int gemv_naive(const struct kernel_case *c,
                          const struct kernel_env *env, void *const *buf,
                          void *)
{
    struct linear l = linear_of(c, buf);
    dim3 grid((l.n + THREADS - 1) / THREADS, l.m);

    naive<<<grid, THREADS, 0, (cudaStream_t)env->stream>>>(l);
    return cudaGetLastError();
}

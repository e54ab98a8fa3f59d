/*
 * sectors/staged - records through shared memory.
 *
 * A warp reads its 32 records as if they were one row, lane beside lane, and
 * puts them into shared memory; there each lane picks its own record up. Rows
 * of 17 floats instead of 16, so that the lanes' picks lie in 32 banks.
 * Requests are as good as they can be; the price is the way through shared
 * memory.
 *
 * Predicted before any run: no faster than vectors, since sectors are used
 * whole either way.
 */
#include "kernels/sectors/sectors.h"

enum {
    THREADS = 256,
    WARPS = THREADS / WARP,
    ROW = SECTORS_READS + 1, /* floats: odd, so that columns cross the banks */
};

// ANCHOR: inner
static __global__ void gather(float *sums, const float *x, size_t n)
{
    __shared__ float rows[WARPS][WARP * ROW];
    const size_t t = blockIdx.x * (size_t)THREADS + threadIdx.x;
    const unsigned lane = threadIdx.x % WARP;
    float *mine = rows[threadIdx.x / WARP];
    const size_t begin = (t - lane) * SECTORS_READS;
    float sum = 0;

#pragma unroll
    for (unsigned k = 0; k < SECTORS_READS; k++) {
        const unsigned i = k * WARP + lane;

        if (begin + i < n * SECTORS_READS)
            mine[i / SECTORS_READS * ROW + i % SECTORS_READS] =
                __ldg(x + begin + i);
    }
    __syncwarp();
    if (t >= n)
        return;
#pragma unroll
    for (unsigned k = 0; k < SECTORS_READS; k++)
        sum += mine[lane * ROW + k];
    sums[t] = sum;
}
// ANCHOR_END: inner

extern "C" int sectors_staged(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *)
{
    const size_t n = sectors_sums(c);

    gather<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0,
             (cudaStream_t)env->stream>>>((float *)buf[0],
                                          (const float *)buf[1], n);
    return cudaGetLastError();
}

/*
 * sectors/vector - records, 16 bytes a lane at a time.
 *
 * A thread that wants all of its record can ask for a quarter at a time. A
 * warp's request then touches 32 sectors as before, but takes half of each, and
 * four requests are made where it took sixteen. The second half costs little if
 * the L1 still has the sector.
 *
 * Predicted before any run: as fast as reading in a row.
 */
#include "kernels/sectors/sectors.h"
#include "kernels/sum.cuh"

enum { THREADS = 256, WIDTH = 4, VECTORS = SECTORS_READS / WIDTH };

// ANCHOR: inner
static __global__ void gather(float *sums, const float *x, size_t n)
{
    const size_t t = blockIdx.x * (size_t)THREADS + threadIdx.x;
    const float4 *record = (const float4 *)x + t * VECTORS;
    float sum = 0;

    if (t >= n)
        return;
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        sum += sum_vector(__ldg(record + k));
    sums[t] = sum;
}
// ANCHOR_END: inner

extern "C" int sectors_vector(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *)
{
    const size_t n = sectors_sums(c);

    gather<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0,
             (cudaStream_t)env->stream>>>((float *)buf[0],
                                          (const float *)buf[1], n);
    return cudaGetLastError();
}

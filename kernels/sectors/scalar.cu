/*
 * sectors/scalar - a float a lane.
 *
 * A warp asks for 32 floats at once, and the memory system looks at which
 * sectors of 32 bytes they lie in. Each sector is fetched once, whole. Where
 * the 32 lie in a row they are four sectors; where they are far apart, 32 of
 * them, and seven eighths of the bytes moved are wasted. The source does not
 * show it: it is the same line of code, with another index.
 *
 * Sixteen reads are in flight per thread and the device is full of threads, so
 * latency is hidden, and the time is that of the sectors.
 *
 * Predicted before any run: from a stride of 8 on an eighth of the useful
 * bandwidth; a shift costs next to nothing.
 */
#include "kernels/sectors/sectors.h"

enum { THREADS = 256 };

/* Which element read number i is; `step` and `bits` as in sectors.h. */
template <int PATTERN>
static __device__ inline size_t element(size_t i, unsigned step, int bits)
{
    if (PATTERN == SECTORS_STRIDE)
        return i * step;
    if (PATTERN == SECTORS_SHIFT)
        return i + step;
    if (PATTERN == SECTORS_RANDOM) {
        const int log = __ffs(step) - 1; /* step is a power of two */
        const unsigned mask = (1u << bits) - 1;
        unsigned p = (unsigned)(i >> log);

        p ^= p >> (bits / 2);
        p = p * SECTORS_FACTOR & mask;
        p ^= p >> (bits / 2);
        return ((size_t)p << log) + (i & (step - 1));
    }
    return i;
}

// ANCHOR: inner
template <int PATTERN>
static __global__ void gather(float *sums, const float *x, size_t n,
                              unsigned step, int bits)
{
    const size_t t = blockIdx.x * (size_t)THREADS + threadIdx.x;
    const size_t lane = t % WARP, warp = t / WARP;
    float sum = 0;

    if (t >= n)
        return;
#pragma unroll
    for (int k = 0; k < SECTORS_READS; k++) {
        const size_t i = PATTERN == SECTORS_RECORD
                             ? t * SECTORS_READS + k
                             : warp * SECTORS_WARP_READS + k * WARP + lane;

        sum += __ldg(x + element<PATTERN>(i, step, bits));
    }
    sums[t] = sum;
}
// ANCHOR_END: inner

extern "C" int sectors_scalar(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *)
{
    static void (*const kernels[])(float *, const float *, size_t, unsigned,
                                   int) = {
        gather<SECTORS_STRIDE>, gather<SECTORS_SHIFT>, gather<SECTORS_RANDOM>,
        gather<SECTORS_RECORD>};
    const size_t n = sectors_sums(c);

    kernels[sectors_pattern_of(c)]<<<(unsigned)((n + THREADS - 1) / THREADS),
                                     THREADS, 0, (cudaStream_t)env->stream>>>(
        (float *)buf[0], (const float *)buf[1], n,
        (unsigned)kernel_num(c, "step"), sectors_bits(c));
    return cudaGetLastError();
}

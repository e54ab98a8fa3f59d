/*
 * reduce/vector - 16-byte loads, four chains a thread, a grid that fits.
 *
 * Instead of a block for every 256 elements, eight blocks per SM walk through
 * the whole input together, tile by tile. A thread asks for four vectors of 16
 * bytes before it uses the first, and keeps a running sum for each of the four,
 * so neither the loads nor the additions wait for one another. The warps meet
 * once, at the very end, and a second kernel of one block adds the sums of the
 * blocks.
 *
 * Predicted before any run: 88-91 % for large n.
 */
#include "kernels/reduce/reduce.h"
#include "kernels/sum.cuh"

enum {
    THREADS = 256,
    VECTORS = 4,              /* 16-byte loads in flight per thread */
    TILE = THREADS * VECTORS, /* vectors per block and step */
    BLOCKS_PER_SM = 8,
    WIDTH = 4, /* elements per vector */
};

static __global__ void sum_share(float *sums, const float *x, size_t n)
{
    const float4 *v = (const float4 *)x;
    const size_t nv = n / WIDTH, step = (size_t)gridDim.x * TILE;
    size_t i = blockIdx.x * (size_t)TILE + threadIdx.x;
    float chain[VECTORS] = {};

    // ANCHOR: inner
    for (; i + (VECTORS - 1) * THREADS < nv; i += step) {
        float4 in[VECTORS];

        for (int k = 0; k < VECTORS; k++)
            in[k] = v[i + k * THREADS];
        for (int k = 0; k < VECTORS; k++)
            chain[k] += sum_vector(in[k]);
    }
    // ANCHOR_END: inner
    for (int k = 0; k < VECTORS; k++) /* the partial tile at the end */
        if (i + k * THREADS < nv)
            chain[k] += sum_vector(v[i + k * THREADS]);
    if (blockIdx.x == 0 && threadIdx.x < n % WIDTH)
        chain[0] += x[nv * WIDTH + threadIdx.x];
    const float sum =
        sum_block<THREADS>((chain[0] + chain[1]) + (chain[2] + chain[3]));
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

/* One block. */
static __global__ void sum_few(float *out, const float *x, unsigned n)
{
    float sum = 0;

    for (unsigned i = threadIdx.x; i < n; i += THREADS)
        sum += x[i];
    sum = sum_block<THREADS>(sum);
    if (threadIdx.x == 0)
        *out = sum;
}

static unsigned blocks_for(const struct kernel_case *c,
                           const struct kernel_env *env)
{
    const size_t n = (size_t)kernel_num(c, "n");

    return (unsigned)reduce_min(reduce_pieces(n, TILE * WIDTH),
                                (size_t)env->sms * BLOCKS_PER_SM);
}

extern "C" size_t reduce_vector_scratch(const struct kernel_case *c,
                                        const struct kernel_env *env)
{
    return blocks_for(c, env) * sizeof(float);
}

extern "C" int reduce_vector(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const unsigned blocks = blocks_for(c, env);
    cudaStream_t stream = (cudaStream_t)env->stream;
    float *sums = (float *)buf[2];

    sum_share<<<blocks, THREADS, 0, stream>>>(sums, (const float *)buf[1],
                                              (size_t)kernel_num(c, "n"));
    sum_few<<<1, THREADS, 0, stream>>>((float *)buf[0], sums, blocks);
    return cudaGetLastError();
}

/*
 * reduce/single - one launch.
 *
 * The second kernel of `vector` has almost nothing to do, yet costs a launch
 * and a drained machine. Here every block writes its sum, then takes a ticket
 * from a counter. The block that draws the last ticket knows that all sums are
 * written, and adds them up.
 *
 * The fence before the ticket makes the sum visible before the ticket is;
 * the fence after it keeps the last block from reading too early. The
 * counter wraps to zero by itself, ready for the next launch.
 *
 * Predicted before any run: no change for large n; it wins at 2^22 and
 * below, by most of what the second launch had cost.
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

struct meeting {
    unsigned tickets;
    float sums[]; /* one per block */
};

static __global__ void sum_all(float *out, const float *x, size_t n,
                               struct meeting *m)
{
    const float4 *v = (const float4 *)x;
    const size_t nv = n / WIDTH, step = (size_t)gridDim.x * TILE;
    size_t i = blockIdx.x * (size_t)TILE + threadIdx.x;
    float chain[VECTORS] = {};
    __shared__ bool last;

    for (; i + (VECTORS - 1) * THREADS < nv; i += step) {
        float4 in[VECTORS];

        for (int k = 0; k < VECTORS; k++)
            in[k] = v[i + k * THREADS];
        for (int k = 0; k < VECTORS; k++)
            chain[k] += sum_vector(in[k]);
    }
    for (int k = 0; k < VECTORS; k++) /* the partial tile at the end */
        if (i + k * THREADS < nv)
            chain[k] += sum_vector(v[i + k * THREADS]);
    if (blockIdx.x == 0 && threadIdx.x < n % WIDTH)
        chain[0] += x[nv * WIDTH + threadIdx.x];
    float sum =
        sum_block<THREADS>((chain[0] + chain[1]) + (chain[2] + chain[3]));
    // ANCHOR: inner
    if (threadIdx.x == 0) {
        m->sums[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(&m->tickets, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    sum = 0;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += THREADS)
        sum += __ldcg(&m->sums[b]); /* from L2, where the others wrote */
    sum = sum_block<THREADS>(sum);
    if (threadIdx.x == 0)
        *out = sum;
    // ANCHOR_END: inner
}

static unsigned blocks_for(const struct kernel_case *c,
                           const struct kernel_env *env)
{
    const size_t n = (size_t)kernel_num(c, "n");

    return (unsigned)reduce_min(reduce_pieces(n, TILE * WIDTH),
                                (size_t)env->sms * BLOCKS_PER_SM);
}

extern "C" size_t reduce_single_scratch(const struct kernel_case *c,
                                        const struct kernel_env *env)
{
    return sizeof(struct meeting) + blocks_for(c, env) * sizeof(float);
}

extern "C" int reduce_single(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    sum_all<<<blocks_for(c, env), THREADS, 0, (cudaStream_t)env->stream>>>(
        (float *)buf[0], (const float *)buf[1], (size_t)kernel_num(c, "n"),
        (struct meeting *)buf[2]);
    return cudaGetLastError();
}

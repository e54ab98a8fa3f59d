/*
 * mix/vector - 16 bytes of every stream per thread.
 *
 * DRAM reads and writes over the same wires, and turning them round takes
 * time in which nothing moves. The controllers collect writes to turn rarely.
 * What is left of the loss shows when the same bytes are read, written, or both
 * in turn. All streams are read and written in the same order, so that only
 * their proportion changes from case to case.
 *
 * A thread has one vector of each stream in flight: 16 bytes for one input,
 * 48 for three. The 2048 threads of an SM have 32 KB or more.
 *
 * Predicts: reads alone do best, at 94 % of the data sheet or more; half of
 * each is worst, at 88 % or a little less; writes alone lie between.
 */
#include "kernels/mix/mix.h"
#include "kernels/sum.cuh"

#include <cuda_runtime.h>

enum {
    WIDTH = 4,                  /* elements per access: 16 bytes */
    THREADS = MIX_PAGE / WIDTH, /* a block for each page */
};

struct streams {
    float *out[3];
    const float *in[3];
};

static __device__ float4 operator+(float4 a, float4 b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

/* What element i begins with: nothing, or without inputs its number. */
template <int READS> static __device__ float first(size_t i)
{
    return READS > 0 ? 0.0f : (float)(i % MIX_CYCLE);
}

// ANCHOR: inner
template <int READS>
static __device__ float4 sum_vectors(const struct streams &s, size_t i)
{
    float4 sum = make_float4(first<READS>(i), first<READS>(i + 1),
                             first<READS>(i + 2), first<READS>(i + 3));

#pragma unroll
    for (int j = 0; j < READS; j++)
        sum = sum + *(const float4 *)(s.in[j] + i);
    return sum;
}

template <int READS, int WRITES>
static __global__ void __launch_bounds__(THREADS)
    mix(const struct streams s, size_t n)
{
    const size_t i = blockIdx.x * (size_t)MIX_PAGE + threadIdx.x * WIDTH;
    float page = 0;

    if (i + WIDTH <= n) {
        const float4 sum = sum_vectors<READS>(s, i);

        page = sum_vector(sum);
#pragma unroll
        for (int j = 0; j < WRITES; j++)
            *(float4 *)(s.out[j] + i) = sum + make_float4(j, j, j, j);
    } else {
        for (size_t k = i; k < n; k++) { /* the last, one by one */
            float sum = first<READS>(k);

            for (int j = 0; j < READS; j++)
                sum += s.in[j][k];
            page += sum;
            for (int j = 0; j < WRITES; j++)
                s.out[j][k] = sum + (float)j;
        }
    }
    if (WRITES == 0) { /* what is read must be used */
        page = sum_block<THREADS>(page);
        if (threadIdx.x == 0)
            s.out[0][blockIdx.x] = page;
    }
}
// ANCHOR_END: inner

extern "C" int mix_vector(const struct kernel_case *c,
                          const struct kernel_env *env, void *const *buf,
                          void *)
{
    static void (*const kernels[4][4])(const struct streams, size_t) = {
        {NULL, mix<0, 1>, NULL, NULL},
        {mix<1, 0>, mix<1, 1>, mix<1, 2>, mix<1, 3>},
        {NULL, mix<2, 1>, NULL, NULL},
        {NULL, mix<3, 1>, NULL, NULL},
    };
    const int reads = (int)kernel_num(c, "reads");
    const int writes = (int)kernel_num(c, "writes");
    const int outputs = writes > 0 ? writes : 1;
    const size_t n = (size_t)kernel_num(c, "n");
    struct streams s = {};

    for (int j = 0; j < outputs; j++)
        s.out[j] = (float *)buf[j];
    for (int j = 0; j < reads; j++)
        s.in[j] = (const float *)buf[outputs + j];
    kernels[reads][writes]<<<(unsigned)mix_pages(n), THREADS, 0,
                             (cudaStream_t)env->stream>>>(s, n);
    return cudaGetLastError();
}

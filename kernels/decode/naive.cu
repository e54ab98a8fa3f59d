/*
 * decode/naive - three kernels, and a thread for each number.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * The first kernel has a thread for each score: it multiplies a query by a key,
 * element by element. The second makes weights of each row of scores. The third
 * has a thread for each element of the output, which goes through all values.
 *
 * A warp of the first kernel reads 32 keys that lie 256 bytes apart, two bytes
 * of each at a time. The third has 4096 threads for a sequence with 32 heads,
 * and each waits for one load after the other: the SMs have too little to do.
 * Heads that share keys read them again.
 *
 * Predicts: latency is the limit. 2 to 8 % of the memory's rate with eight
 * sequences of 8192 keys.
 */
#include "kernels/decode/attention.cuh"

enum { THREADS = 256, WARPS = THREADS / WARP };

/* Scores of a head of a sequence: a.l of them. */
static __device__ __forceinline__ float *scores_of(const attention &a,
                                                   float *all)
{
    return all + ((size_t)blockIdx.z * a.heads + blockIdx.y) * a.l;
}

/* The row of this block's head. */
static __device__ __forceinline__ struct row row_of_block(const attention &a)
{
    const int head = blockIdx.y;

    return {(int)blockIdx.z, head / (a.heads / a.kv), head, 1};
}

static __global__ void __launch_bounds__(THREADS)
    multiply_keys(struct attention a, float *all)
{
    const struct row r = row_of_block(a);
    const int j = blockIdx.x * THREADS + threadIdx.x;
    const uint16_t *const q = a.q + (size_t)query_of(a, r, 0) * DEEP;
    const uint16_t *const k = a.k + keys_of(a, r) + (size_t)j * DEEP;
    float s = 0;

    if (j >= a.where[r.sequence])
        return;
    for (int e = 0; e < DEEP; e++)
        s += bf16_value(q[e]) * bf16_value(k[e]);
    scores_of(a, all)[j] = s * a.scale;
}

/* A sum or a maximum over the block. */
template <class F>
static __device__ float over_block(float v, float *shared, F both)
{
    for (int step = WARP / 2; step > 0; step /= 2)
        v = both(v, __shfl_xor_sync(0xffffffffu, v, step));
    __syncthreads(); /* nobody reads the last results any more */
    if (threadIdx.x % WARP == 0)
        shared[threadIdx.x / WARP] = v;
    __syncthreads(); /* all warps have theirs */
    v = shared[0];
    for (int w = 1; w < WARPS; w++)
        v = both(v, shared[w]);
    return v;
}

static __global__ void __launch_bounds__(THREADS)
    weigh(struct attention a, float *all)
{
    __shared__ float shared[WARPS];
    float *const s = scores_of(a, all);
    const int keys = a.where[blockIdx.z];
    float top = -INFINITY, sum = 0;

    for (int j = threadIdx.x; j < keys; j += THREADS)
        top = fmaxf(top, s[j]);
    top = over_block(top, shared, [](float x, float y) { return fmaxf(x, y); });
    for (int j = threadIdx.x; j < keys; j += THREADS)
        sum += s[j] = ptx_exp2(s[j] - top);
    sum = over_block(sum, shared, [](float x, float y) { return x + y; });
    for (int j = threadIdx.x; j < keys; j += THREADS)
        s[j] /= sum;
}

static __global__ void __launch_bounds__(DEEP)
    multiply_values(struct attention a, float *all)
{
    const struct row r = row_of_block(a);
    const float *const p = scores_of(a, all);
    const uint16_t *const v = a.v + keys_of(a, r) + threadIdx.x;
    const int keys = a.where[r.sequence];
    float o = 0;

    for (int j = 0; j < keys; j++)
        o += p[j] * bf16_value(v[(size_t)j * DEEP]);
    a.o[(size_t)query_of(a, r, 0) * DEEP + threadIdx.x] = bf16_round(o);
}

extern "C" size_t decode_naive_scratch(const struct kernel_case *c,
                                       const struct kernel_env *)
{
    return (size_t)decode_num(c, "b") * decode_num(c, "heads") *
           decode_num(c, "l") * sizeof(float);
}

extern "C" int decode_naive(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *)
{
    const struct attention a = attention_of(c, buf);
    const cudaStream_t to = (cudaStream_t)env->stream;
    float *const all = (float *)buf[DECODE_SCRATCH];
    const dim3 keys(ceil_div(a.l, THREADS), a.heads, a.b);
    const dim3 rows(1, a.heads, a.b);

    multiply_keys<<<keys, THREADS, 0, to>>>(a, all);
    weigh<<<rows, THREADS, 0, to>>>(a, all);
    multiply_values<<<rows, DEEP, 0, to>>>(a, all);
    return cudaGetLastError();
}

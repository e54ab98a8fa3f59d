/*
 * The memory sweep on the GPU.
 *
 * A block owns one contiguous share and walks through it again and again.
 * There are as many blocks as fit on a multiprocessor at once, so a share
 * stays with the L1 it was read into. The loads are assembly, which the
 * compiler neither drops nor moves out of the loop over the passes.
 */
#include "kernels/ceilings/sweep.h"
#include "kernels/sum.cuh"

enum { THREADS = 256, PER_SM = 8, VECTOR = 4 };

static __device__ float4 load(const float4 *p)
{
    float4 v;
    asm volatile("ld.global.ca.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "l"(p));
    return v;
}

static __device__ void store(float4 *p, float4 v)
{
    asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(p), "f"(v.x),
                 "f"(v.y), "f"(v.z), "f"(v.w)
                 : "memory");
}

/* A block's share of n vectors. */
struct share {
    size_t begin, end;
};

static __device__ share my_share(size_t n)
{
    return {n * blockIdx.x / gridDim.x, n * (blockIdx.x + 1) / gridDim.x};
}

/*
 * The block that is last writes the sum and leaves the scratch as it was.
 * The fence orders each block's sum before its count.
 */
static __device__ void add_up(float mine, struct memory_scratch *s, float *out)
{
    mine = sum_block<THREADS>(mine);
    if (threadIdx.x != 0)
        return;
    atomicAdd(&s->sum, mine);
    __threadfence();
    if (atomicInc(&s->done, gridDim.x - 1) == gridDim.x - 1) {
        __threadfence();
        out[0] = atomicExch(&s->sum, 0.0f);
    }
}

/* The elements behind the last whole vector: the first block takes them. */
static __device__ float read_rest(const float *b, size_t n, int passes)
{
    const size_t i = n / VECTOR * VECTOR + threadIdx.x;
    return blockIdx.x == 0 && i < n ? (float)passes * b[i] : 0.0f;
}

// ANCHOR: inner
template <int LOADS>
static __global__ void __launch_bounds__(THREADS)
    read(float *out, const float *b, size_t n, int passes,
         struct memory_scratch *s)
{
    const float4 *v = (const float4 *)b;
    const share mine = my_share(n / VECTOR);
    float sum = read_rest(b, n, passes);

    for (int pass = 0; pass < passes; pass++) {
        size_t i = mine.begin + threadIdx.x;
        for (; i + (LOADS - 1) * THREADS < mine.end; i += LOADS * THREADS) {
            float4 x[LOADS];
            for (int k = 0; k < LOADS; k++)
                x[k] = load(v + i + k * THREADS);
            for (int k = 0; k < LOADS; k++)
                sum += sum_vector(x[k]);
        }
        for (; i < mine.end; i += THREADS)
            sum += sum_vector(load(v + i));
    }
    add_up(sum, s, out);
}
// ANCHOR_END: inner

static __device__ float4 make(enum memory_op op, const float4 *b,
                              const float4 *c, size_t i, float pass)
{
    if (op == MEMORY_WRITE)
        return make_float4(pass, pass, pass, pass);
    float4 x = load(b + i);
    if (op == MEMORY_TRIAD) {
        const float4 y = load(c + i);
        x.x += MEMORY_SCALE * y.x;
        x.y += MEMORY_SCALE * y.y;
        x.z += MEMORY_SCALE * y.z;
        x.w += MEMORY_SCALE * y.w;
    }
    return x;
}

template <enum memory_op OP>
static __global__ void __launch_bounds__(THREADS)
    update(float *a, const float *b, const float *c, size_t n, int passes)
{
    const share mine = my_share(n / VECTOR);
    const size_t rest = n / VECTOR * VECTOR + threadIdx.x;

    for (int pass = 1; pass <= passes; pass++)
#pragma unroll 4
        for (size_t i = mine.begin + threadIdx.x; i < mine.end; i += THREADS)
            store((float4 *)a + i, make(OP, (const float4 *)b,
                                        (const float4 *)c, i, (float)pass));
    if (blockIdx.x == 0 && rest < n)
        a[rest] = OP == MEMORY_WRITE  ? (float)passes
                  : OP == MEMORY_COPY ? b[rest]
                                      : b[rest] + MEMORY_SCALE * c[rest];
}

extern "C" int ceiling_memory_sweep(const struct kernel_case *c,
                                    const struct kernel_env *env,
                                    void *const *buf, void *state)
{
    const size_t n = (size_t)kernel_num(c, "n");
    const int passes = (int)kernel_num(c, "passes");
    const unsigned blocks = (unsigned)(env->sms * PER_SM);
    const cudaStream_t s = (cudaStream_t)env->stream;
    float *a = (float *)buf[0];

    (void)state;
    switch (memory_op_of(c)) {
    case MEMORY_READ:
        read<4><<<blocks, THREADS, 0, s>>>(a, (const float *)buf[1], n, passes,
                                           (struct memory_scratch *)buf[2]);
        break;
    case MEMORY_WRITE:
        update<MEMORY_WRITE>
            <<<blocks, THREADS, 0, s>>>(a, nullptr, nullptr, n, passes);
        break;
    case MEMORY_COPY:
        update<MEMORY_COPY><<<blocks, THREADS, 0, s>>>(a, (const float *)buf[1],
                                                       nullptr, n, passes);
        break;
    case MEMORY_TRIAD:
        update<MEMORY_TRIAD><<<blocks, THREADS, 0, s>>>(
            a, (const float *)buf[1], (const float *)buf[2], n, passes);
        break;
    }
    return cudaGetLastError();
}

/* Up to eight blocks of one load per thread; beyond, more loads per thread. */
extern "C" int ceiling_memory_flight(const struct kernel_case *c,
                                     const struct kernel_env *env,
                                     void *const *buf, void *state)
{
    const size_t n = (size_t)kernel_num(c, "n");
    const int vectors = (int)kernel_num(c, "flight") / 16;
    const int per_sm = vectors / THREADS < PER_SM ? vectors / THREADS : PER_SM;
    const int loads = vectors / THREADS / per_sm;
    const unsigned blocks = (unsigned)(env->sms * per_sm);
    const cudaStream_t s = (cudaStream_t)env->stream;
    const float *b = (const float *)buf[1];
    struct memory_scratch *sum = (struct memory_scratch *)buf[2];

    (void)state;
    if (loads == 1)
        read<1><<<blocks, THREADS, 0, s>>>((float *)buf[0], b, n, 1, sum);
    else if (loads == 2)
        read<2><<<blocks, THREADS, 0, s>>>((float *)buf[0], b, n, 1, sum);
    else
        read<4><<<blocks, THREADS, 0, s>>>((float *)buf[0], b, n, 1, sum);
    return cudaGetLastError();
}

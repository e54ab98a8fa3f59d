/*
 * ceilings/flight - a read with a fixed number of bytes in flight.
 *
 * A block of 128 threads with a 16-byte load each has 2 KiB in flight. For more
 * bytes there are first more blocks on an SM, then more loads per thread. The
 * loop is not unrolled, and each turn uses what it has loaded, so no load of
 * the next turn starts before those of this turn have landed.
 */
#include "kernels/ceilings/memory.cuh"

enum { THREADS = 128, BYTES = THREADS * 16, MOST_BLOCKS = 16 };

// ANCHOR: inner
template <int LOADS>
static __global__ void __launch_bounds__(THREADS)
    read(float *out, const float *b, size_t n, struct memory_scratch *s)
{
    const float4 *v = (const float4 *)b;
    const size_t stride = (size_t)gridDim.x * THREADS, end = n / VECTOR;
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    float sum = read_rest(b, n, 1);

#pragma unroll 1
    for (; i + (LOADS - 1) * stride < end; i += LOADS * stride) {
        float4 x[LOADS];
        for (int k = 0; k < LOADS; k++)
            x[k] = load(v + i + k * stride);
        for (int k = 0; k < LOADS; k++)
            sum += sum_vector(x[k]);
    }
#pragma unroll 1
    for (; i < end; i += stride)
        sum += sum_vector(load(v + i));
    add_up<THREADS>(sum, s, out);
}
// ANCHOR_END: inner

extern "C" int ceiling_memory_flight(const struct kernel_case *c,
                                     const struct kernel_env *env,
                                     void *const *buf, void *)
{
    const size_t n = (size_t)kernel_num(c, "n");
    const int units = (int)kernel_num(c, "flight") / BYTES;
    const int per_sm = units < MOST_BLOCKS ? units : MOST_BLOCKS;
    const unsigned blocks = (unsigned)(env->sms * per_sm);
    const cudaStream_t s = (cudaStream_t)env->stream;
    float *out = (float *)buf[0];
    const float *b = (const float *)buf[1];
    struct memory_scratch *sum = (struct memory_scratch *)buf[2];

    switch (units / per_sm) {
    case 1:
        read<1><<<blocks, THREADS, 0, s>>>(out, b, n, sum);
        break;
    case 2:
        read<2><<<blocks, THREADS, 0, s>>>(out, b, n, sum);
        break;
    default:
        read<4><<<blocks, THREADS, 0, s>>>(out, b, n, sum);
    }
    return cudaGetLastError();
}

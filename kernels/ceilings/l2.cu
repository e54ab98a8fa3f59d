/*
 * ceilings/l2 - reading the L2 alone.
 *
 * Idea: the memory sweep's L1s hide the L2: while an array fits the L2, half of
 * it or more fits the L1s of all SMs as well. Here every load bypasses the L1
 * (ld.global.cg), so each byte of each pass comes from the L2.
 *
 * All threads together read the array as a window that moves on and begins
 * anew, without a pause between passes. Another SM reads a line in the next
 * pass, since the window's size does not divide the array. So on average half
 * of what an SM reads lies in the half of the L2 that is far from it.
 *
 * It predicts a plateau of 20 to 27 bytes a cycle for each SM, which are 5.2 to
 * 7 TB/s, while the array fits. Where it ends shows how much of the L2's 60 MB
 * is left if both of its halves have to answer all SMs.
 */
#include "kernels/ceilings/memory.cuh"

enum { THREADS = 1024, PER_SM = 2, LOADS = 8 };

static __device__ float4 load_l2(const float4 *p)
{
    float4 v;
    asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "l"(p));
    return v;
}

/* The vectors of all passes are numbered through, and a thread visits every
   `threads`-th. */
// ANCHOR: inner
static __global__ void __launch_bounds__(THREADS)
    read(float *out, const float *b, size_t n, int passes,
         struct memory_scratch *s)
{
    const float4 *v = (const float4 *)b;
    const unsigned threads = gridDim.x * THREADS, own = (unsigned)(n / VECTOR);
    const unsigned me = blockIdx.x * THREADS + threadIdx.x;
    const unsigned all = own * (unsigned)passes, step = own ? threads % own : 0;
    unsigned left = all <= me ? 0 : (all - me + threads - 1) / threads;
    unsigned at = own ? me % own : 0;
    float sum = read_rest(b, n, passes);

    auto next = [&] {
        const unsigned here = at;
        at += step;
        at -= at >= own ? own : 0;
        return v + here;
    };
    for (; left >= LOADS; left -= LOADS) {
        float4 x[LOADS];
        for (int k = 0; k < LOADS; k++)
            x[k] = load_l2(next());
        for (int k = 0; k < LOADS; k++)
            sum += sum_vector(x[k]);
    }
    for (; left; left--)
        sum += sum_vector(load_l2(next()));
    add_up<THREADS>(sum, s, out);
}
// ANCHOR_END: inner

extern "C" int ceiling_l2_read(const struct kernel_case *c,
                               const struct kernel_env *env, void *const *buf,
                               void *)
{
    read<<<(unsigned)(env->sms * PER_SM), THREADS, 0,
           (cudaStream_t)env->stream>>>(
        (float *)buf[0], (const float *)buf[1], (size_t)kernel_num(c, "n"),
        (int)kernel_num(c, "passes"), (struct memory_scratch *)buf[2]);
    return cudaGetLastError();
}

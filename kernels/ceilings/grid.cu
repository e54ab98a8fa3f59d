/*
 * ceilings/grid - a barrier over the grid: one counter in global memory.
 *
 * In round r the counter goes from r·blocks to (r + 1)·blocks; a block that
 * has seen the upper value has waited for all. There is one block of one thread
 * per SM, so all blocks run at once; otherwise the first would wait for ever.
 * An arrival releases what its block wrote, and the load that sees the last
 * arrival acquires it.
 */
#include "kernels/kernel.h"

static __device__ void arrive_and_wait(unsigned *count, unsigned until)
{
    unsigned seen;
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(count)
                 : "memory");
    do
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                     : "=r"(seen)
                     : "l"(count)
                     : "memory");
    while (seen < until);
}

static __global__ void barrier(float *sum, const float *x, int rounds,
                               unsigned *count)
{
    volatile float *v = sum;

    for (int r = 0; r < rounds; r++) {
        if (blockIdx.x == r % gridDim.x)
            *v = (r ? *v : 0.0f) + x[r];
        arrive_and_wait(count, (unsigned)(r + 1) * gridDim.x);
    }
}

/* The counter starts from 0: kernels of one stream follow each other. */
extern "C" int ceiling_grid_barrier(const struct kernel_case *c,
                                    const struct kernel_env *env,
                                    void *const *buf, void *)
{
    const cudaStream_t s = (cudaStream_t)env->stream;
    const int rc = cudaMemsetAsync(buf[2], 0, sizeof(unsigned), s);

    if (rc)
        return rc;
    barrier<<<(unsigned)env->sms, 1, 0, s>>>(
        (float *)buf[0], (const float *)buf[1], (int)kernel_num(c, "rounds"),
        (unsigned *)buf[2]);
    return cudaGetLastError();
}

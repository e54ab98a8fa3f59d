/*
 * ceilings/shared - reading shared memory over and over.
 *
 * Every pass reads the same data, so the loads are volatile: otherwise the
 * assembler would read once and add up its registers. A warp's 32 vectors are
 * 512 bytes in a row: four wavefronts of all 32 banks, none of them twice.
 */
#include "kernels/ceilings/tile.h"
#include "kernels/ptx.cuh"
#include "kernels/sum.cuh"

enum { VECTORS = SHARED_FLOATS / 4, EACH = VECTORS / SHARED_THREADS };

static __device__ float4 load_shared(uint32_t at)
{
    float4 v;
    asm volatile("ld.volatile.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "r"(at));
    return v;
}

static __global__ void __launch_bounds__(SHARED_THREADS)
    read(float *sums, const float *x, int passes)
{
    __shared__ float4 tile[VECTORS];
    const float4 *from = (const float4 *)x + (size_t)blockIdx.x * VECTORS;
    float sum = 0;

    for (int k = 0; k < EACH; k++)
        tile[k * SHARED_THREADS + threadIdx.x] =
            from[k * SHARED_THREADS + threadIdx.x];
    __syncthreads(); /* the assembly below must find all of it written */
    const uint32_t at = ptx_smem(&tile[threadIdx.x]);
    // ANCHOR: inner
    for (int pass = 0; pass < passes; pass++)
#pragma unroll
        for (int k = 0; k < EACH; k++)
            sum += sum_vector(
                load_shared(at + k * SHARED_THREADS * (int)sizeof(float4)));
    // ANCHOR_END: inner
    sums[(size_t)blockIdx.x * SHARED_THREADS + threadIdx.x] = sum;
}

extern "C" int ceiling_shared_read(const struct kernel_case *c,
                                   const struct kernel_env *env,
                                   void *const *buf, void *)
{
    read<<<(unsigned)kernel_num(c, "tiles"), SHARED_THREADS, 0,
           (cudaStream_t)env->stream>>>((float *)buf[0], (const float *)buf[1],
                                        (int)kernel_num(c, "passes"));
    return cudaGetLastError();
}

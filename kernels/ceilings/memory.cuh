/*
 * kernels/ceilings/memory.cuh - what the kernels that read memory share:
 * loads and stores that the compiler neither drops nor moves, and the one sum
 * at the end.
 */
#ifndef KERNELS_CEILINGS_MEMORY_CUH
#define KERNELS_CEILINGS_MEMORY_CUH

#include "kernels/ceilings/sweep.h"
#include "kernels/sum.cuh"

enum { VECTOR = 4 }; /* floats of a load */

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

/*
 * The block that is last writes the sum and leaves the scratch as it was.
 * The fence orders each block's sum before its count.
 */
template <int THREADS>
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

#endif

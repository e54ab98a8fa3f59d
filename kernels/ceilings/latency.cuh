/*
 * kernels/ceilings/latency.cuh - loads of a pointer: `ca` may be served by the
 * L1, `cg` asks the L2 at once, and one is of shared memory. They are volatile,
 * so that the compiler drops none whose result nobody wants.
 */
#ifndef KERNELS_CEILINGS_LATENCY_CUH
#define KERNELS_CEILINGS_LATENCY_CUH

#include "kernels/ceilings/latency.h"
#include "kernels/ptx.cuh"

struct through_l1 {
    static __device__ const latency_link *next(const latency_link *at)
    {
        const latency_link *p;
        asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(p) : "l"(at));
        return p;
    }
};

struct past_l1 {
    static __device__ const latency_link *next(const latency_link *at)
    {
        const latency_link *p;
        asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(p) : "l"(at));
        return p;
    }
};

/* The address that lies at the address `at` of shared memory. */
PTX_FN uint32_t next_shared(uint32_t at)
{
    uint32_t to;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(to) : "r"(at));
    return to;
}

#endif

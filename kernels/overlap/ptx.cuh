/*
 * kernels/overlap/ptx.cuh - accesses to the memory of another GPU whose order
 * matters (PTX ISA manual, memory consistency model).
 *
 * Scope .sys, since another GPU is outside of .gpu. What *releases* makes
 * visible all that its thread wrote before, and what others wrote before a
 * barrier that it took part in. Who sees it with *acquire* may read that.
 */
#ifndef KERNELS_OVERLAP_PTX_CUH
#define KERNELS_OVERLAP_PTX_CUH

#include "kernels/ptx.cuh"

PTX_FN void ptx_flag_send(uint32_t *flag, uint32_t ticket)
{
    ptx_jitter();
    asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(
                     __cvta_generic_to_global(flag)),
                 "r"(ticket)
                 : "memory");
}

PTX_FN uint32_t ptx_flag_load(const uint32_t *flag)
{
    uint32_t ticket;

    asm volatile("ld.acquire.sys.global.u32 %0, [%1];"
                 : "=r"(ticket)
                 : "l"(__cvta_generic_to_global(flag))
                 : "memory");
    return ticket;
}

/* One more at a counter, here or on another GPU. */
PTX_FN void ptx_count_up(uint32_t *counter)
{
    ptx_jitter();
    asm volatile("red.release.sys.global.add.u32 [%0], 1;" ::"l"(
                     __cvta_generic_to_global(counter))
                 : "memory");
}

/*
 * Orders what threads do with global memory and what the TMA does with it:
 * after a flag was seen and before the TMA reads, or after its stores are done
 * and before a flag tells of them.
 */
PTX_FN void ptx_fence_async_all(void)
{
    asm volatile("fence.proxy.async;" ::: "memory");
}

#endif

/*
 * kernels/allreduce/ptx.cuh - accesses to the memory of another GPU whose order
 * or size matters (PTX ISA manual, memory consistency model).
 *
 * Scope .sys, since another GPU is outside of .gpu. A flag that is stored with
 * *release* makes visible all that its block wrote before, if a barrier of the
 * block lies between. Who loads it with *acquire* may then read that.
 */
#ifndef KERNELS_ALLREDUCE_PTX_CUH
#define KERNELS_ALLREDUCE_PTX_CUH

#include "kernels/ptx.cuh"

PTX_FN void ptx_flag_send(uint32_t *flag, uint32_t ticket)
{
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

/*
 * Twelve bytes and the ticket of the call that they belong to. As one operand
 * of type .b128 they are stored and loaded whole, so who finds the ticket has
 * the bytes, and neither needs a fence.
 */
struct alignas(16) packet {
    uint32_t word[3], ticket;
};

PTX_FN void ptx_packet_store(packet *to, const packet &p)
{
    const uint64_t low = (uint64_t)p.word[1] << 32 | p.word[0];
    const uint64_t high = (uint64_t)p.ticket << 32 | p.word[2];

    asm volatile("{\n"
                 ".reg .b128 all;\n"
                 "mov.b128 all, {%1, %2};\n"
                 "st.relaxed.sys.global.b128 [%0], all;\n"
                 "}\n" ::"l"(__cvta_generic_to_global(to)),
                 "l"(low), "l"(high)
                 : "memory");
}

PTX_FN packet ptx_packet_load(const packet *from)
{
    uint64_t low, high;

    asm volatile("{\n"
                 ".reg .b128 all;\n"
                 "ld.relaxed.sys.global.b128 all, [%2];\n"
                 "mov.b128 {%0, %1}, all;\n"
                 "}\n"
                 : "=l"(low), "=l"(high)
                 : "l"(__cvta_generic_to_global(from))
                 : "memory");
    return {{(uint32_t)low, (uint32_t)(low >> 32), (uint32_t)high},
            (uint32_t)(high >> 32)};
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

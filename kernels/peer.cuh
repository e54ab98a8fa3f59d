/*
 * kernels/peer.cuh - words between GPUs: a flag in memory that another GPU
 * writes or reads over NVLink (PTX ISA manual, memory consistency model).
 *
 * A message is a 64-bit word: its upper half is a ticket that only grows, its
 * lower half the contents. Such a word arrives whole. Who stores it with
 * *release* makes visible all that it wrote before; who sees it with *acquire*
 * may then read that. Scope .sys, since another GPU is outside of .gpu.
 *
 * Who waits must not wait for ever: a GPU that hangs takes its machine along.
 * So every wait ends in peer_spin_until(), and after two seconds the kernel
 * traps, which ends the process with an error of CUDA.
 */
#ifndef KERNELS_PEER_CUH
#define KERNELS_PEER_CUH

#include "kernels/ptx.cuh"

enum { PEER_LOOKS = 64 }; /* between two readings of the timer */

static const uint64_t PEER_DEADLINE_NS = 2000000000;

/* Nanoseconds of the GPU's timer, which has no fixed beginning. */
PTX_FN uint64_t peer_timer(void)
{
    uint64_t ns;

    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

/* Calls arrived() until it is true; traps after PEER_DEADLINE_NS. */
template <typename ARRIVED> PTX_FN void peer_spin_until(ARRIVED arrived)
{
    uint64_t began = 0;

    for (;;) {
        for (int i = 0; i < PEER_LOOKS; i++)
            if (arrived())
                return;
        if (began == 0)
            began = peer_timer();
        else if (peer_timer() - began > PEER_DEADLINE_NS)
            __trap();
    }
}

/* Sends a message to `flag`, here or on another GPU. */
PTX_FN void peer_send(uint64_t *flag, uint32_t ticket, uint32_t contents)
{
    const uint64_t word = (uint64_t)ticket << 32 | contents;

    asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(
                     __cvta_generic_to_global(flag)),
                 "l"(word)
                 : "memory");
}

/* Waits for the message with this ticket at `flag`; returns its contents. */
PTX_FN uint32_t peer_receive(const uint64_t *flag, uint32_t ticket)
{
    uint64_t word;

    peer_spin_until([&] {
        asm volatile("ld.acquire.sys.global.u64 %0, [%1];"
                     : "=l"(word)
                     : "l"(__cvta_generic_to_global(flag))
                     : "memory");
        return (uint32_t)(word >> 32) == ticket;
    });
    return (uint32_t)word;
}

#endif

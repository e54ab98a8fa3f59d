/*
 * kernels/trace.cuh - marks in a kernel: who did what, and when.
 *
 *     TRACE_OPEN(ADDER, warp, lane == 0);   who: role, number, elected thread
 *     TRACE_BEGIN(ADD, turn);               what begins, in which turn
 *     ...
 *     TRACE_END(ADD, turn);
 *     TRACE_MARK(TICKET, tile);             a moment
 *     TRACE_CLOSE();
 *
 * In the program that measures, these lines are empty: the machine code is the
 * same as without them. The program runner-trace compiles them for real, makes
 * one call, and records the stamps (docs/tracing.md).
 *
 * A stamp is the SM's clock and two numbers, 16 bytes that one thread stores
 * and nobody waits for. Each role of each block has a ring of its own in device
 * memory, so nobody shares a counter, but for the one that gives out rings. The
 * elected thread asks for its ring at TRACE_OPEN and needs the answer only at
 * its first stamp. What does not fit is counted.
 *
 * Only the SM's clock is read here. It is exact to a cycle, but each SM's
 * starts from another number. Kernels before and after the call compare every
 * SM's clock with the GPU's timer, which ticks more slowly.
 *
 * A stamp says when the thread got there, not when memory answered. Put the end
 * of a load behind the first use of what it loads. Put the end of a store where
 * the thread goes on: the bytes are still under way.
 *
 * TRACE_OPEN declares a variable, so all marks stand in its scope, and every
 * way out needs a TRACE_CLOSE. A function that is called within this scope and
 * has marks of its own gets the variable: TRACE_TAKES ends its parameters, and
 * TRACE_GIVES the arguments of its calls. Both begin with the comma.
 *
 * A source whose marks stand in a header of its own includes this file, too:
 * that tells the build to compile it for runner-trace.
 */
#ifndef KERNELS_TRACE_CUH
#define KERNELS_TRACE_CUH

#ifndef KERNEL_TRACE

#define TRACE_OPEN(role, member, elected) ((void)0)
#define TRACE_BEGIN(event, step) ((void)0)
#define TRACE_END(event, step) ((void)0)
#define TRACE_MARK(event, step) ((void)0)
#define TRACE_CLOSE() ((void)0)
#define TRACE_TAKES
#define TRACE_GIVES

#else /* KERNEL_TRACE is the name of the source, as a string */

#include "kernels/trace.h"

#include <cuda_runtime.h>

#define TRACE_FN static __device__ __forceinline__

static __constant__ struct trace_room trace_room;

static int trace_attach(const struct trace_room *room)
{
    return cudaMemcpyToSymbol(trace_room, room, sizeof *room);
}

/* The linker gathers these from all sources into one array. */
__attribute__((section("trace_units"),
               used)) static const struct trace_unit trace_unit = {
    KERNEL_TRACE, trace_attach};

/* What the elected thread knows; in other threads `on` is false. */
struct trace_pen {
    uint64_t begin;
    uint32_t ring, role, member, stamps;
    bool on;
};

/* No access to memory moves past it, neither up nor down. */
TRACE_FN uint64_t trace_clock(void)
{
    uint64_t clock;

    asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock)::"memory");
    return clock;
}

TRACE_FN struct trace_pen trace_open(uint32_t role, uint32_t member,
                                     bool elected)
{
    struct trace_pen p = {0, 0, role, member, 0, false};

    p.on = elected && trace_room.ring != NULL;
    if (p.on) {
        p.begin = trace_clock();
        p.ring = atomicAdd(trace_room.opened, 1u);
    }
    return p;
}

TRACE_FN void trace_stamp(struct trace_pen &p, uint32_t what, uint32_t step)
{
    if (!p.on)
        return;
    const uint64_t clock = trace_clock();
    const size_t ring = p.ring & (trace_room.rings - 1);

    if (p.stamps < trace_room.stamps)
        *(ulonglong2 *)&trace_room.stamp[ring * trace_room.stamps + p.stamps] =
            make_ulonglong2(clock, (uint64_t)step << 32 | what);
    p.stamps++;
}

TRACE_FN void trace_close(const struct trace_pen &p)
{
    if (!p.on)
        return;
    const uint64_t end = trace_clock();
    struct trace_ring *r = &trace_room.ring[p.ring & (trace_room.rings - 1)];

    uint32_t sm;

    asm("mov.u32 %0, %%smid;" : "=r"(sm));
    r->sm = sm;
    r->block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    r->role = p.role;
    r->member = p.member;
    r->begin = p.begin;
    r->end = end;
    r->stamps = p.stamps;
}

#define TRACE_WHAT(event, kind) \
    (TRACE_KINDS * TRACE_EVENT_##event + TRACE_KIND_##kind)
#define TRACE_OPEN(role, member, elected) \
    struct trace_pen trace_pen = trace_open(TRACE_ROLE_##role, member, elected)
#define TRACE_BEGIN(event, step) \
    trace_stamp(trace_pen, TRACE_WHAT(event, BEGIN), step)
#define TRACE_END(event, step) \
    trace_stamp(trace_pen, TRACE_WHAT(event, END), step)
#define TRACE_MARK(event, step) \
    trace_stamp(trace_pen, TRACE_WHAT(event, MARK), step)
#define TRACE_CLOSE() trace_close(trace_pen)
#define TRACE_TAKES , struct trace_pen &trace_pen
#define TRACE_GIVES , trace_pen

#endif
#endif

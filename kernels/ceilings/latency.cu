/*
 * ceilings/latency - how long one load takes.
 *
 * Idea: one thread follows a chain of pointers. The address of each load is the
 * result of the load before, so no two overlap, and the time of a call over its
 * loads is the latency of one. A link is the pointer itself: there is no
 * arithmetic between two loads.
 *
 * Why random lines: a link is a line of 128 bytes, and the chain visits all
 * lines in a random order. So nothing that fetches neighbours helps, and half
 * of the lines lie in the half of the L2 that is far from the thread's SM: what
 * comes out of the L2 is the mean of near and far.
 *
 * Why calls go on where the last one ended: a call follows 30000 links, which
 * are 4 MB. If each began anew, these would soon be in the L2, however long the
 * chain is. As it is, a chain of 2 GiB comes from DRAM, with the misses of the
 * address translation that random places in so much memory cause.
 *
 * An L1 is empty when a kernel begins. So where it could hold the chain, all
 * threads load it first: with the start of the kernel less than 1 % of the
 * time.
 *
 * It predicts a staircase: some 30 cycles in shared memory, 33 to 41 in the L1,
 * 230 to 300 in the L2, and 0.4 to 0.7 microseconds in DRAM.
 */
#include "kernels/ceilings/latency.cuh"
#include "kernels/kernel.h"

enum { THREADS = 256 };

/*
 * Where a place of the chain lies: a permutation of the numbers below `lines`,
 * a power of 2. For multiplying by an odd number can be undone, and so can the
 * exclusive or of a number's lower bits with its higher ones.
 */
static __device__ unsigned scatter(unsigned place, unsigned lines)
{
    const unsigned mask = lines - 1;
    int half = 1; /* of the bits of a place, or a bit more */

    while (1u << 2 * half < lines)
        half++;

    for (int round = 0; round < 3; round++) {
        place = place * (0x9e3779b1u + 2 * (unsigned)round) & mask;
        place ^= place >> half;
    }
    return place;
}

/* Link `place` of the chain lies in line scatter(place). */
static __global__ void __launch_bounds__(THREADS)
    forge(latency_link *head, unsigned lines)
{
    latency_link *const first = head + 1;
    const unsigned place = blockIdx.x * THREADS + threadIdx.x;

    if (place >= lines)
        return;
    latency_link *const here = first + scatter(place, lines);

    here->next = first + scatter((place + 1) & (lines - 1), lines);
    here->place = place;
    if (place == 0)
        head->next = here;
}

// ANCHOR: inner
template <class LOAD>
static __global__ void __launch_bounds__(THREADS)
    chase(int *end, latency_link *head, unsigned lines, int loads)
{
    const latency_link *at = head->next;

    for (unsigned i = threadIdx.x; i < lines && lines <= LATENCY_L1_MOST;
         i += THREADS)
        LOAD::next(head + 1 + i);
    __syncthreads();
    if (threadIdx.x != 0)
        return;

    const unsigned from = at->place;
    for (int i = 0; i < loads; i++)
        at = LOAD::next(at);
    *end = (int)((at->place - from) & (lines - 1));
    head->next = at;
}
// ANCHOR_END: inner

/* The same chain in shared memory, where a link is the next one's address. */
static __global__ void __launch_bounds__(THREADS)
    chase_shared(int *end, latency_link *head, unsigned lines, int loads)
{
    enum { WORDS = LATENCY_LINE / sizeof(uint32_t) };
    __shared__ uint32_t chain[LATENCY_SHARED * WORDS];
    const latency_link *const first = head + 1;

    for (unsigned i = threadIdx.x; i < lines; i += THREADS)
        chain[i * WORDS] = ptx_smem(&chain[(first[i].next - first) * WORDS]);
    __syncthreads(); /* the assembly below must find all of it written */
    if (threadIdx.x != 0)
        return;

    const unsigned from = head->next->place;
    uint32_t at = ptx_smem(&chain[(head->next - first) * WORDS]);
    for (int i = 0; i < loads; i++)
        at = next_shared(at);
    head->next = first + (at - ptx_smem(chain)) / LATENCY_LINE;
    *end = (int)((head->next->place - from) & (lines - 1));
}

extern "C" const char *ceiling_latency_prepare(const struct kernel_case *c,
                                               const struct kernel_env *env,
                                               void *const *buf, void **)
{
    const unsigned lines = (unsigned)kernel_num(c, "lines");

    forge<<<(lines + THREADS - 1) / THREADS, THREADS, 0,
            (cudaStream_t)env->stream>>>((latency_link *)buf[1], lines);
    return cudaGetLastError() == cudaSuccess ? NULL
                                             : "the chain cannot be written";
}

extern "C" int ceiling_latency_ca(const struct kernel_case *c,
                                  const struct kernel_env *env,
                                  void *const *buf, void *)
{
    chase<through_l1><<<1, THREADS, 0, (cudaStream_t)env->stream>>>(
        (int *)buf[0], (latency_link *)buf[1], (unsigned)kernel_num(c, "lines"),
        (int)kernel_num(c, "loads"));
    return cudaGetLastError();
}

extern "C" int ceiling_latency_cg(const struct kernel_case *c,
                                  const struct kernel_env *env,
                                  void *const *buf, void *)
{
    chase<past_l1><<<1, THREADS, 0, (cudaStream_t)env->stream>>>(
        (int *)buf[0], (latency_link *)buf[1], (unsigned)kernel_num(c, "lines"),
        (int)kernel_num(c, "loads"));
    return cudaGetLastError();
}

extern "C" int ceiling_latency_shared(const struct kernel_case *c,
                                      const struct kernel_env *env,
                                      void *const *buf, void *)
{
    chase_shared<<<1, THREADS, 0, (cudaStream_t)env->stream>>>(
        (int *)buf[0], (latency_link *)buf[1], (unsigned)kernel_num(c, "lines"),
        (int)kernel_num(c, "loads"));
    return cudaGetLastError();
}

/*
 * allnorm/apart - an all-reduce, then a kernel for residual and norm.
 *
 * h = x of GPU 0 + x of GPU 1 + ... + r, y = RMSNorm of h, on every GPU.
 *
 * What a program does that takes its kernels from two libraries. The all-reduce
 * is the better one of two for the size: packets as in allreduce/push, or a
 * share for each GPU as in allreduce/two. Packets pass NVLink once and bring
 * four bytes for three of each other matrix. Shares need three trips more, some
 * 3 us, and bring the least there can be. So packets are ahead up to about
 * 4 MiB between two GPUs, and up to half a MiB between four.
 *
 * The sum is rounded, written to memory, and read by the next kernel, which
 * adds the residual and rounds again.
 *
 * Predicts: the all-reduce, a kernel's begin and end, and a trip to memory and
 * back: 5 to 7.5 us for a row of 8192 between two GPUs.
 */
#include "kernels/allnorm/norm.cuh"
#include "kernels/allnorm/packets.cuh"
#include "kernels/allreduce/shares.cuh"

enum { KI = 1 << 10 };

/* Up to so many bytes of a matrix are sent in packets. Three GPUs are checked
 * only, and check the other way with few bytes. */
static size_t most_in_packets(const struct kernel_case *c)
{
    return (kernel_gpus(c) == 2 ? 4096 : kernel_gpus(c) == 3 ? 0 : 512) * KI;
}

static bool in_packets(const struct kernel_case *c)
{
    return 2 * allnorm_count(c) <= most_in_packets(c);
}

// ANCHOR: inner
/* The sum of all rows; `s` has it in the place of h. */
template <int GPUS>
static __global__ void __launch_bounds__(THREADS, 1)
    sum_packets(const __grid_constant__ rows s)
{
    box *const own = box_of(s.p, s.p.rank);
    const uint32_t ticket = own->ticket + 1;

    send_rows<GPUS>(s, ticket);
    for (int row = blockIdx.x; row < s.tokens; row += gridDim.x) {
        float v[MINE];

        gather<GPUS>(s, row, ticket, v);
        put(s, at(s.p.sum[s.p.rank], s, row, 0), v);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        own->ticket = ticket;
}

template <int GPUS>
static __global__ void __launch_bounds__(THREADS, 1)
    sum_shares(const __grid_constant__ peers p)
{
    box *const own = box_of(p, p.rank);
    const uint32_t ticket = own->ticket;

    meet<GPUS>(p, ticket + 1); /* their rows are there */
    add_range<GPUS>(p, share_begins<GPUS>(p, p.rank),
                    share_begins<GPUS>(p, p.rank + 1),
                    [&](unsigned i, uint4 v) {
#pragma unroll
                        for (int h = 0; h < GPUS; h++)
                            ((uint4 *)p.sum[h])[i] = v;
                    });
    meet<GPUS>(p, ticket + 2); /* my sum is whole, and my rows free */
    if (threadIdx.x == 0)
        own->ticket = ticket + 2;
}
// ANCHOR_END: inner

/* The same, with the sum in scratch memory in the place of h. */
static rows with_sum(const struct kernel_case *c, const rows &s)
{
    rows of = s;

    for (int h = 0; h < kernel_gpus(c); h++)
        of.p.sum[h] = (uint16_t *)(s.p.scratch[h] + MOST_BOXES * sizeof(box) +
                                   packets_bytes(c));
    return of;
}

template <int GPUS>
static int start(const struct kernel_case *c, const struct kernel_env *env,
                 const rows &s, cudaStream_t stream)
{
    const rows of = with_sum(c, s);
    const uint16_t *const sum = of.p.sum[s.p.rank];

    if (in_packets(c)) {
        const unsigned blocks = blocks_for(env, s.tokens, 1, MOST_BLOCKS);

        sum_packets<GPUS><<<blocks, THREADS, 0, stream>>>(of);
    } else {
        const size_t share = s.p.n / VECTOR / GPUS;
        const unsigned blocks = blocks_for(env, share, THREADS, MOST_BLOCKS);

        sum_shares<GPUS><<<blocks, THREADS, 0, stream>>>(of.p);
    }
    norm_rows<<<s.tokens, THREADS, 0, stream>>>(s, sum);
    return cudaGetLastError();
}

template <int GPUS> static int load_kernels(const struct kernel_env *env)
{
    return load_all(env, sum_packets<GPUS>, sum_shares<GPUS>, norm_rows);
}

extern "C" const char *allnorm_apart_prepare(const struct kernel_case *c,
                                             const struct kernel_env *env,
                                             void *const *, void **)
{
    return FOR_GPUS(c, load_kernels, env) ? "its kernels cannot be loaded"
                                          : NULL;
}

extern "C" size_t allnorm_apart_scratch(const struct kernel_case *c,
                                        const struct kernel_env *)
{
    return MOST_BOXES * sizeof(box) + packets_bytes(c) + 2 * allnorm_count(c);
}

extern "C" int allnorm_apart(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    return on_each(c, env, buf, [&](const rows &s, cudaStream_t stream) {
        return FOR_GPUS(c, start, c, env, s, stream);
    });
}

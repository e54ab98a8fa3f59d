/*
 * allreduce/push - vectors are sent, and each piece says itself that it came.
 *
 * sum = x of GPU 0 + x of GPU 1 + ..., on every GPU.
 *
 * allreduce/blocks passes NVLink four times: a flag, a request, its answer,
 * another flag. Here each GPU stores its vector into the scratch memory of the
 * others, as packets of 16 bytes: twelve of data, and the ticket of the call. A
 * packet is one store, which arrives whole. Who waits for it looks at the place
 * where it will be. So NVLink is passed once, and there is no meeting: NCCL
 * calls this LL, and LL128 with a flag for 120 bytes.
 *
 * Packets of even and odd calls have different places. A GPU that writes those
 * of call t + 2 has all packets of call t + 1, so the others have ended call t,
 * and read theirs. Nobody reads x but its GPU, which may change it afterwards.
 *
 * Predicts: the launch and one trip over NVLink: 2.5 to 4 us for 8 KiB between
 * two GPUs, and 3 to 5 between four. A third more bytes than allreduce/blocks
 * matter from a few hundred KiB on.
 */
#include "kernels/allreduce/peers.cuh"

enum { WORDS = 3, NUMBERS = 2 * WORDS, MOST_BLOCKS = 128 };

static __host__ __device__ inline size_t packets_of(size_t n)
{
    return (n + NUMBERS - 1) / NUMBERS;
}

/* Where GPU `at` gets the packets of GPU `from`. */
template <int GPUS>
PTX_FN packet *place(const peers &p, int at, int from, uint32_t ticket)
{
    packet *const first = (packet *)(p.scratch[at] + MOST_BOXES * sizeof(box));

    return first + (ticket % 2 * GPUS + from) * packets_of(p.n);
}

/* Packet i of the own vector; zeros behind its end. */
PTX_FN packet take(const peers &p, unsigned i, uint32_t ticket)
{
    const uint16_t *const x = p.x[p.rank];
    packet made = {{0, 0, 0}, ticket};

    for (int w = 0; w < WORDS; w++) {
        const size_t at = (size_t)i * NUMBERS + 2 * w;

        if (at + 1 < p.n)
            made.word[w] = *(const uint32_t *)(x + at);
        else if (at < p.n)
            made.word[w] = x[at];
    }
    return made;
}

PTX_FN void put(const peers &p, unsigned i, const float *s)
{
    uint16_t *const to = p.sum[p.rank];

    for (int w = 0; w < WORDS; w++) {
        const size_t at = (size_t)i * NUMBERS + 2 * w;

        if (at + 1 < p.n)
            *(uint32_t *)(to + at) = bf16_pair(s[2 * w], s[2 * w + 1]);
        else if (at < p.n)
            to[at] = bf16_round(s[2 * w]);
    }
}

// ANCHOR: inner
/* Packet i of each GPU. Theirs are looked at together until all have come. */
template <int GPUS>
PTX_FN void gather(const peers &p, unsigned i, uint32_t ticket, packet *got)
{
    const packet own = take(p, i, ticket);

    peer_spin_until([&] {
        bool all = true;

#pragma unroll
        for (int h = 0; h < GPUS; h++) {
            got[h] = own;
            if (h != p.rank)
                got[h] = ptx_packet_load(place<GPUS>(p, p.rank, h, ticket) + i);
            all = all && got[h].ticket == ticket;
        }
        return all;
    });
}

template <int GPUS>
static __global__ void __launch_bounds__(THREADS, 1)
    push(const __grid_constant__ peers p)
{
    box *const mine = box_of(p, p.rank);
    const uint32_t ticket = mine->ticket + 1;
    const unsigned packets = (unsigned)packets_of(p.n);
    const unsigned first = blockIdx.x * THREADS + threadIdx.x;

    for (unsigned i = first; i < packets; i += gridDim.x * THREADS) {
        const packet sent = take(p, i, ticket);

#pragma unroll
        for (int h = 0; h < GPUS; h++)
            if (h != p.rank)
                ptx_packet_store(place<GPUS>(p, h, p.rank, ticket) + i, sent);
    }
    for (unsigned i = first; i < packets; i += gridDim.x * THREADS) {
        packet got[GPUS];
        float s[NUMBERS] = {};

        gather<GPUS>(p, i, ticket, got);
#pragma unroll
        for (int h = 0; h < GPUS; h++)
            for (int w = 0; w < WORDS; w++)
                add_pair(s + 2 * w, got[h].word[w]);
        put(p, i, s);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        mine->ticket = ticket;
}
// ANCHOR_END: inner

template <int GPUS>
static int start(const peers &p, unsigned blocks, cudaStream_t stream)
{
    push<GPUS><<<blocks, THREADS, 0, stream>>>(p);
    return cudaGetLastError();
}

extern "C" size_t allreduce_push_scratch(const struct kernel_case *c,
                                         const struct kernel_env *)
{
    return MOST_BOXES * sizeof(box) +
           2 * kernel_gpus(c) * packets_of(allreduce_count(c)) * sizeof(packet);
}

extern "C" int allreduce_push(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *)
{
    const unsigned blocks =
        blocks_for(env, packets_of(allreduce_count(c)), THREADS, MOST_BLOCKS);

    return on_all(c, env, buf, [&](const peers &p, cudaStream_t stream) {
        return FOR_GPUS(c, start, p, blocks, stream);
    });
}

/*
 * kernels/allnorm/packets.cuh - rows that are sent in packets, as in
 * allreduce/push: twelve bytes and the ticket of the call, one store each.
 * Packets of even and odd calls have different places.
 *
 * A row begins with a packet of its own. Thread t has packets t, t + THREADS
 * and so on of a row, that is NUMBERS of each.
 */
#ifndef KERNELS_ALLNORM_PACKETS_CUH
#define KERNELS_ALLNORM_PACKETS_CUH

#include "kernels/allnorm/rows.cuh"

enum {
    WORDS = 3,
    NUMBERS = 2 * WORDS,
    PACKETS = (ALLNORM_MOST + NUMBERS * THREADS - 1) / (NUMBERS * THREADS),
    MINE = PACKETS * NUMBERS, /* numbers of a row that a thread has */
};

static __host__ __device__ inline size_t packets_of(int hidden)
{
    return (size_t)(hidden + NUMBERS - 1) / NUMBERS;
}

static inline size_t packets_bytes(const struct kernel_case *c)
{
    return 2 * kernel_gpus(c) * allnorm_tokens(c) *
           packets_of(allnorm_hidden(c)) * sizeof(packet);
}

/* Where GPU `at` gets the packets of a row of GPU `from`. */
template <int GPUS>
PTX_FN packet *place(const rows &s, int at, int from, int row, uint32_t ticket)
{
    packet *const first =
        (packet *)(s.p.scratch[at] + MOST_BOXES * sizeof(box));
    const size_t matrix = ticket % 2 * GPUS + from;

    return first + (matrix * s.tokens + row) * packets_of(s.hidden);
}

/* Word w of the thread's packet k, as an index into a row; behind its end it is
 * no less than s.hidden. */
PTX_FN int word_at(int k, int w)
{
    return (threadIdx.x + k * THREADS) * NUMBERS + 2 * w;
}

/* The thread's words of a row; zeros behind its end. */
PTX_FN void take(const rows &s, const uint16_t *row, uint32_t (*word)[WORDS])
{
#pragma unroll
    for (int k = 0; k < PACKETS; k++)
#pragma unroll
        for (int w = 0; w < WORDS; w++)
            word[k][w] = word_at(k, w) < s.hidden
                             ? *(const uint32_t *)(row + word_at(k, w))
                             : 0;
}

/* Sends the block's rows to all others. */
template <int GPUS> PTX_FN void send_rows(const rows &s, uint32_t ticket)
{
    for (int row = blockIdx.x; row < s.tokens; row += gridDim.x) {
        uint32_t word[PACKETS][WORDS];

        take(s, at(s.p.x[s.p.rank], s, row, 0), word);
#pragma unroll
        for (int k = 0; k < PACKETS; k++)
            for (int h = 0; h < GPUS; h++)
                if (h != s.p.rank && word_at(k, 0) < s.hidden)
                    ptx_packet_store(
                        place<GPUS>(s, h, s.p.rank, row, ticket) + threadIdx.x +
                            k * THREADS,
                        {{word[k][0], word[k][1], word[k][2]}, ticket});
    }
}

// ANCHOR: gather
/* Adds up a row of all GPUs. The packets that a thread waits for are looked at
 * together until all have come. */
template <int GPUS>
PTX_FN void gather(const rows &s, int row, uint32_t ticket, float *v)
{
    packet got[PACKETS][GPUS];
    uint32_t own[PACKETS][WORDS];

    peer_spin_until([&] {
        bool all = true;

#pragma unroll
        for (int k = 0; k < PACKETS; k++)
#pragma unroll
            for (int h = 0; h < GPUS; h++)
                if (h != s.p.rank && word_at(k, 0) < s.hidden) {
                    got[k][h] = ptx_packet_load(
                        place<GPUS>(s, s.p.rank, h, row, ticket) + threadIdx.x +
                        k * THREADS);
                    all = all && got[k][h].ticket == ticket;
                }
        return all;
    });
    take(s, at(s.p.x[s.p.rank], s, row, 0), own);
#pragma unroll
    for (int k = 0; k < PACKETS; k++)
#pragma unroll
        for (int w = 0; w < WORDS; w++) {
            float *const sum = v + k * NUMBERS + 2 * w;

            sum[0] = sum[1] = 0;
#pragma unroll
            for (int h = 0; h < GPUS; h++)
                if (word_at(k, 0) < s.hidden)
                    add_pair(sum,
                             h == s.p.rank ? own[k][w] : got[k][h].word[w]);
        }
}
// ANCHOR_END: gather

/* Rounds v, and stores it as a row. v gets what was stored. */
PTX_FN void put(const rows &s, uint16_t *row, float *v)
{
#pragma unroll
    for (int k = 0; k < PACKETS; k++)
#pragma unroll
        for (int w = 0; w < WORDS; w++) {
            float *const two = v + k * NUMBERS + 2 * w;
            const uint32_t word = bf16_pair(two[0], two[1]);

            two[0] = bf16_first(word);
            two[1] = bf16_second(word);
            if (word_at(k, w) < s.hidden)
                *(uint32_t *)(row + word_at(k, w)) = word;
        }
}

#endif

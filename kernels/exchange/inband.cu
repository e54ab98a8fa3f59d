/*
 * exchange/inband - packets that say themselves that they have come.
 *
 * dispatch: got[at] = rows of the tokens that have an expert at GPU `at`.
 * combine:  out = sum over GPUs of weight y, in their order.
 *
 * exchange/push passes NVLink twice in a row, or more: counts, then rows and a
 * flag. Here a row goes to a place that depends on its token alone, so nobody
 * has to know any counts before. It consists of packets: twelve bytes, and the
 * ticket of the call (kernels/allreduce/push.cu). One more packet for each
 * token and GPU says whether the token goes there, and for which experts. The
 * receiver waits for these packets of all tokens, then knows the place of each
 * row, and puts what comes there.
 *
 * On the way back the receiver knows what must come. One more packet comes from
 * each GPU, even if it has no rows: so calls stay apart as in exchange/push.
 *
 * Predicts: one trip over NVLink and the launch: 4 to 7 us for 8 tokens between
 * two GPUs, and between four 0.45 to 0.8 of the time of exchange/push. A third
 * more bytes, which are stored and loaded once more at the receiver: with 64
 * tokens hardly ahead any more.
 */
#include "kernels/exchange/sides.cuh"

enum {
    WORDS = 3,
    NUMBERS = 2 * WORDS,
    MOST_BLOCKS = 128,
    MOST_FEW = 64,               /* tokens of a GPU */
    FEW = ALL * MOST_FEW / WARP, /* groups of 32 tokens of all GPUs */
};

static __host__ __device__ inline unsigned packets_of(size_t hidden)
{
    return (unsigned)((hidden + NUMBERS - 1) / NUMBERS);
}

PTX_FN unsigned row_packets(const sides &p)
{
    return packets_of((size_t)p.vectors * VECTOR);
}

/* Where GPU `at` gets packets of GPU `from`: first one for each token. */
PTX_FN packet *heads(const sides &p, int at, int from, uint32_t ticket)
{
    packet *const first = (packet *)(p.scratch[at] + MOST_BOXES * sizeof(box));

    return first +
           (size_t)(ticket % 2 * p.gpus + from) * p.t * (1 + row_packets(p));
}

/* The packets of the n-th row. */
PTX_FN packet *rows(const sides &p, int at, int from, int n, uint32_t ticket)
{
    return heads(p, at, from, ticket) + p.t + (size_t)n * row_packets(p);
}

PTX_FN packet receive(const packet *at, uint32_t ticket)
{
    packet got;

    peer_spin_until([&] {
        got = ptx_packet_load(at);
        return got.ticket == ticket;
    });
    return got;
}

/* Packet i of a row of `numbers`; zeros behind its end. */
PTX_FN packet take(const uint4 *row, unsigned numbers, unsigned i,
                   uint32_t ticket)
{
    packet made = {{0, 0, 0}, ticket};

    for (int w = 0; w < WORDS; w++)
        if (i * NUMBERS + 2 * w < numbers)
            made.word[w] = ((const uint32_t *)row)[i * WORDS + w];
    return made;
}

PTX_FN void put(uint4 *row, unsigned numbers, unsigned i, const uint32_t *word)
{
    for (int w = 0; w < WORDS; w++)
        if (i * NUMBERS + 2 * w < numbers)
            ((uint32_t *)row)[i * WORDS + w] = word[w];
}

/* Calls work(row, packet) for this thread's packets of so many rows. */
template <typename WORK>
PTX_FN void for_packets(const sides &p, int n, WORK work)
{
    const unsigned each = row_packets(p), all = (unsigned)n * each;

    for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < all;
         i += gridDim.x * THREADS)
        work((int)(i / each), i % each);
}

/* ---- out ---- */

/* The first packet of a token for a GPU: is it for there? For which experts:
 * a byte each, as in its marks. */
PTX_FN packet head_of(const sides &p, int token, int at, uint32_t ticket)
{
    const int each = EXCHANGE_EXPERTS / p.gpus;
    packet made = {{0, 0, 0}, ticket};

    for (int k = 0; k < EXCHANGE_TOP; k++) {
        const int expert = p.chosen[token * EXCHANGE_TOP + k];

        if (expert / each != at)
            continue;
        made.word[0] = 1;
        made.word[1 + k / 4] |= (uint32_t)(expert % each + 1) << k % 4 * 8;
    }
    return made;
}

/* Which tokens of all GPUs come here: token i % t of GPU i / t. */
struct coming {
    unsigned bits[FEW];
    uint32_t experts[ALL * MOST_FEW][2];
};

PTX_FN void send_all(const sides &p, uint32_t ticket)
{
    if (blockIdx.x == 0)
        for (int i = threadIdx.x; i < p.t * p.gpus; i += THREADS)
            if (i / p.t != p.rank)
                ptx_packet_store(heads(p, i / p.t, p.rank, ticket) + i % p.t,
                                 head_of(p, i % p.t, i / p.t, ticket));
    for_packets(p, p.t, [&](int token, unsigned i) {
        const packet made = take((const uint4 *)p.x + (size_t)token * p.vectors,
                                 p.vectors * VECTOR, i, ticket);
        const unsigned to = gpus_of(p, token);

        for (int at = 0; at < p.gpus; at++)
            if (to >> at & 1 && at != p.rank)
                ptx_packet_store(rows(p, at, p.rank, token, ticket) + i, made);
    });
}

/* Waits for the first packets of all tokens. */
PTX_FN void look(const sides &p, coming *s, uint32_t ticket)
{
    const int i = (int)threadIdx.x, all = p.t * p.gpus;
    packet head = {};

    static_assert(ALL * MOST_FEW <= THREADS, "a thread for each token");
    if (i < all)
        head =
            i / p.t == p.rank
                ? head_of(p, i % p.t, p.rank, ticket)
                : receive(heads(p, p.rank, i / p.t, ticket) + i % p.t, ticket);
    const unsigned bits = __ballot_sync(~0u, head.word[0]);

    if (i < all && i % WARP == 0)
        s->bits[i / WARP] = bits;
    for (int k = 0; i < all && k < 2; k++)
        s->experts[i][k] = head.word[1 + k];
    __syncthreads();
}

/* The row of a token that comes. */
PTX_FN int place(const coming *s, int token)
{
    int n = __popc(s->bits[token / WARP] & ((1u << token % WARP) - 1));

    for (int g = 0; g < token / WARP; g++)
        n += __popc(s->bits[g]);
    return n;
}

/* The marks of a token that came: a thread. */
PTX_FN void put_marks(const sides &p, const coming *s, int token, uint4 *row)
{
    uint16_t *const to = (uint16_t *)(row + p.vectors);
    const int index = token % p.t;

    for (int k = 0; k < EXCHANGE_MARK; k++) {
        const uint32_t expert =
            k < EXCHANGE_TOP ? s->experts[token][k / 4] >> k % 4 * 8 & 0xff : 0;

        to[k] = bf16_round((float)(k < EXCHANGE_TOP        ? (int)expert
                                   : k == EXCHANGE_TOP     ? token / p.t
                                   : k == EXCHANGE_TOP + 1 ? index % 256
                                   : k == EXCHANGE_TOP + 2 ? index / 256
                                                           : 0));
    }
}

// ANCHOR: inner
static __global__ void __launch_bounds__(THREADS, 1)
    inband(const __grid_constant__ sides p)
{
    __shared__ coming s;
    box *const mine = box_of(p, p.rank);
    const uint32_t ticket = mine->ticket + 1;

    send_all(p, ticket);
    look(p, &s, ticket);
    for_packets(p, p.t * p.gpus, [&](int token, unsigned i) {
        const int from = token / p.t, index = token % p.t;

        if (!(s.bits[token / WARP] >> token % WARP & 1))
            return;
        uint4 *const to = got_row(p, p.rank, place(&s, token));
        const packet got =
            from == p.rank
                ? take((const uint4 *)p.x + (size_t)index * p.vectors,
                       p.vectors * VECTOR, i, ticket)
                : receive(rows(p, p.rank, from, index, ticket) + i, ticket);

        put(to, p.vectors * VECTOR, i, got.word);
        if (i == 0)
            put_marks(p, &s, token, to);
    });
    __syncthreads();
    if (threadIdx.x == 0)
        mine->ticket = ticket;
}
// ANCHOR_END: inner

/* ---- back ---- */

PTX_FN void send_back(const sides &p, uint32_t ticket)
{
    const int other = (int)threadIdx.x;

    if (blockIdx.x == 0 && other < p.gpus && other != p.rank)
        ptx_packet_store(heads(p, other, p.rank, ticket), {{0, 0, 0}, ticket});
    for_packets(p, begins(p, p.rank, p.gpus), [&](int row, unsigned i) {
        const int to = sender_of(p, row);

        if (to != p.rank)
            ptx_packet_store(
                rows(p, to, p.rank, row - begins(p, p.rank, to), ticket) + i,
                take(y_row(p, p.rank, row), p.vectors * VECTOR, i, ticket));
    });
}

// ANCHOR: back
static __global__ void __launch_bounds__(THREADS, 1)
    inband_back(const __grid_constant__ sides p)
{
    __shared__ going s;
    box *const mine = box_of(p, p.rank);
    const uint32_t ticket = mine->ticket + 1;
    const unsigned numbers = p.vectors * VECTOR;
    const int other = (int)threadIdx.x;

    send_back(p, ticket);
    count(p, &s);
    for_packets(p, p.t, [&](int token, unsigned i) {
        float sum[NUMBERS] = {};
        uint32_t word[WORDS];

        for (int h = 0; h < p.gpus; h++) {
            if (!goes(&s, token, h))
                continue;
            const int n = before(&s, token, h);
            const float weight = p.weight[token * p.gpus + h];
            const packet got =
                h == p.rank
                    ? take(y_row(p, h, begins(p, h, h) + n), numbers, i, ticket)
                    : receive(rows(p, p.rank, h, n, ticket) + i, ticket);

            for (int w = 0; w < WORDS; w++) {
                sum[2 * w] = fmaf(weight, bf16_first(got.word[w]), sum[2 * w]);
                sum[2 * w + 1] =
                    fmaf(weight, bf16_second(got.word[w]), sum[2 * w + 1]);
            }
        }
        for (int w = 0; w < WORDS; w++)
            word[w] = bf16_pair(sum[2 * w], sum[2 * w + 1]);
        put((uint4 *)p.out + (size_t)token * p.vectors, numbers, i, word);
    });
    if (other < p.gpus && other != p.rank)
        receive(heads(p, p.rank, other, ticket), ticket);
    __syncthreads();
    if (threadIdx.x == 0)
        mine->ticket = ticket;
}
// ANCHOR_END: back

extern "C" size_t exchange_inband_scratch(const struct kernel_case *c,
                                          const struct kernel_env *)
{
    const size_t tokens = (size_t)kernel_gpus(c) * (size_t)kernel_num(c, "t");

    return MOST_BOXES * sizeof(box) +
           2 * tokens * (1 + packets_of((size_t)kernel_num(c, "hidden"))) *
               sizeof(packet);
}

extern "C" int exchange_inband(const struct kernel_case *c,
                               const struct kernel_env *env, void *const *buf,
                               void *)
{
    const size_t packets = (size_t)kernel_gpus(c) * (size_t)kernel_num(c, "t") *
                           packets_of((size_t)kernel_num(c, "hidden"));
    const unsigned blocks = blocks_for(env, packets, THREADS, MOST_BLOCKS);

    return on_all(c, env, buf, [&](const sides &p, cudaStream_t stream) {
        if (exchange_is_dispatch(c))
            inband<<<blocks, THREADS, 0, stream>>>(p);
        else
            inband_back<<<blocks, THREADS, 0, stream>>>(p);
        return (int)cudaGetLastError();
    });
}

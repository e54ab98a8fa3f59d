/*
 * allnorm/relay - shares without a meeting: marked vectors, twice.
 *
 * h = x of GPU 0 + x of GPU 1 + ... + r, y = RMSNorm of h, on every GPU.
 *
 * allnorm/factor moves the least bytes, and passes NVLink six times in a row: a
 * flag, a request and its answer, a store and its acknowledgement, a flag. In
 * allnorm/marked it is once, with more bytes. Here each GPU sends a row as
 * marked vectors to the GPU that has it, and to no other. That one adds up, and
 * sends h as marked vectors to all. So it is twice, with the least bytes: the
 * vectors of allnorm/marked and the shares of allnorm/factor.
 *
 * Whoever gets h computes the norm by itself, with the barrier that it costs: a
 * factor could not leave before the owner has seen the whole row. All get the
 * same bits of h, and add up in the same order.
 *
 * Rows are sent before any is waited for, and sums before any result. So no
 * block waits for one that waits for it.
 *
 * Predicts: 1.3 to 2.2 times as fast as allnorm/factor with eight rows of 8192
 * between four GPUs, and 1.2 to 1.9 times as fast as allnorm/marked with 512
 * rows of 4096. Between two, where both move the same bytes, behind
 * allnorm/marked by 1 to 2 us.
 */
#include "kernels/allnorm/marks.cuh"
#include "kernels/allnorm/shares.cuh"

/* How many rows each GPU has at most. */
static __host__ __device__ inline size_t groups_of(int tokens, int gpus)
{
    return (tokens + gpus - 1) / gpus;
}

/* Rows of marked vectors that a GPU gets in a call: of its own rows the parts
 * of all GPUs, then all results. */
static __host__ __device__ inline size_t slots_of(int tokens, int gpus)
{
    return 2 * groups_of(tokens, gpus) * gpus;
}

/* Where GPU `at` gets slot `slot`. */
template <int GPUS>
PTX_FN packet *slot_at(const rows &s, int at, size_t slot, uint32_t ticket)
{
    packet *const first =
        (packet *)(s.p.scratch[at] + MOST_BOXES * sizeof(box));

    return first +
           (ticket % 2 * slots_of(s.tokens, GPUS) + slot) * vectors_of(s);
}

/* Where GPU `at` gets the part of GPU `from` of one of its own rows. */
template <int GPUS>
PTX_FN packet *part_at(const rows &s, int at, int from, int row,
                       uint32_t ticket)
{
    return slot_at<GPUS>(s, at, (size_t)(row / GPUS) * GPUS + from, ticket);
}

/* Where GPU `at` gets h of a row. */
template <int GPUS>
PTX_FN packet *sum_at(const rows &s, int at, int row, uint32_t ticket)
{
    return slot_at<GPUS>(s, at, slots_of(s.tokens, GPUS) / 2 + row, ticket);
}

// ANCHOR: inner
/* Sends a row to the GPU that has it. */
template <int GPUS>
PTX_FN void send_part(const rows &s, int row, uint32_t ticket)
{
    const int me = s.p.rank;
    packet *const to = part_at<GPUS>(s, row % GPUS, me, row, ticket);

    for_mine(s, [&](int, int i) {
        send_marked(to + i, load(at(s.p.x[me], s, row, i)));
    });
}

/* Adds up one of this GPU's own rows, and sends the sum to all others. */
template <int GPUS>
PTX_FN void add_parts(const rows &s, int row, uint32_t ticket, uint4 (*h)[1],
                      float *v)
{
    const int me = s.p.rank;
    uint4 x[DEEP][GPUS], own[DEEP], r[DEEP];

    take(s, at(s.r, s, row, 0), r);
    receive<GPUS>(
        s, me, [&](int g) { return part_at<GPUS>(s, me, g, row, ticket); }, x);
    take(s, at(s.p.x[me], s, row, 0), own);
#pragma unroll
    for (int k = 0; k < DEEP; k++) {
#pragma unroll
        for (int g = 0; g < GPUS; g++)
            x[k][g] = g == me ? own[k] : x[k][g];
        if (!is_mine(s, k))
            continue;
        h[k][0] = add_to<GPUS>(r[k], x[k], v + k * VECTOR);
#pragma unroll
        for (int g = 0; g < GPUS; g++)
            if (g != me)
                send_marked(sum_at<GPUS>(s, g, row, ticket) + mine(k), h[k][0]);
    }
}

/* Stores h and its norm. */
PTX_FN void put_row(const rows &s, int row, const uint4 (*h)[1], const float *v,
                    const uint4 *w, int turn)
{
    const int me = s.p.rank;

    for_mine(s,
             [&](int k, int i) { store(at(s.p.sum[me], s, row, i), h[k][0]); });
    const float factor = factor_of(s, squares_of<DEEP * VECTOR>(v), turn);

    for_mine(s, [&](int k, int i) {
        store(at(s.y[me], s, row, i), scale(v + k * VECTOR, factor, w[k]));
    });
}

template <int GPUS>
static __global__ void __launch_bounds__(THREADS, 1)
    relay(const __grid_constant__ rows s)
{
    const int me = s.p.rank;
    box *const own = box_of(s.p, me);
    const uint32_t ticket = own->ticket + 1;
    uint4 w[DEEP];
    int turn = 0;

    for_groups<GPUS>(s, [&](int first) {
        for (int row = first; row < first + GPUS && row < s.tokens; row++)
            if (row % GPUS != me)
                send_part<GPUS>(s, row, ticket);
    });
    take(s, s.w, w);
    for_groups<GPUS>(s, [&](int first) {
        float v[DEEP * VECTOR] = {};
        uint4 h[DEEP][1];

        if (first + me >= s.tokens)
            return;
        add_parts<GPUS>(s, first + me, ticket, h, v);
        put_row(s, first + me, h, v, w, turn ^= 1);
    });
    for_groups<GPUS>(s, [&](int first) {
        for (int row = first; row < first + GPUS && row < s.tokens; row++) {
            float v[DEEP * VECTOR] = {};
            uint4 h[DEEP][1];

            if (row % GPUS == me)
                continue;
            receive<1>(
                s, -1, [&](int) { return sum_at<GPUS>(s, me, row, ticket); },
                h);
            for_mine(s, [&](int k, int) {
                rows_unpack<uint16_t>(h[k][0], v + k * VECTOR);
            });
            put_row(s, row, h, v, w, turn ^= 1);
        }
    });
    __syncthreads();
    if (threadIdx.x == 0)
        own->ticket = ticket;
}
// ANCHOR_END: inner

template <int GPUS>
static int start(const rows &s, unsigned blocks, cudaStream_t stream)
{
    relay<GPUS><<<blocks, THREADS, 0, stream>>>(s);
    return cudaGetLastError();
}

extern "C" size_t allnorm_relay_scratch(const struct kernel_case *c,
                                        const struct kernel_env *)
{
    const size_t vectors = (size_t)allnorm_hidden(c) / VECTOR;

    return MOST_BOXES * sizeof(box) +
           2 * slots_of(allnorm_tokens(c), kernel_gpus(c)) * vectors *
               sizeof(packet);
}

extern "C" int allnorm_relay(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const unsigned blocks = shares_blocks(c, env);

    return on_each(c, env, buf, [&](const rows &s, cudaStream_t stream) {
        return FOR_GPUS(c, start, s, blocks, stream);
    });
}

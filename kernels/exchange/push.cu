/*
 * exchange/push - warps store a row once for each GPU.
 *
 * dispatch: got[at] = rows of the tokens that have an expert at GPU `at`.
 * combine:  out = sum over GPUs of weight y, in their order.
 *
 * exchange/each stores a row for each expert of its token. Here it goes once to
 * each GPU that has one of them, and its marks say for which experts it is. A
 * warp loads a piece of a row once, and stores it to all of them.
 *
 * On the way back each GPU stores its rows into the scratch memory of the GPU
 * that their tokens come from. Each block says by a flag that its rows have
 * been stored, and who adds waits for the flags of all blocks. Rows of even and
 * odd calls have different places. A GPU that writes those of call t + 2 has
 * the flags of call t + 1, so the others have ended call t. Own rows stay where
 * they are.
 *
 * Predicts: between four GPUs a dispatch of 4096 tokens reaches 0.82 to 1 of
 * the ceiling of stores. The combine stores rows and reads them again, which
 * comes on top: 0.65 to 0.85. For 8 tokens two trips for counts and flags, one
 * for rows, the counting and the launch: 7 to 12 us.
 */
#include "kernels/exchange/dispatch.cuh"

enum { MOST_BLOCKS = 64 };

// ANCHOR: inner
static __global__ void __launch_bounds__(THREADS, 1)
    push(const __grid_constant__ sides p)
{
    __shared__ going s;

    dispatch(p, &s, [&](const piece &a, const uint4 *v) {
        for (int at = 0; at < p.gpus; at++)
            if (goes(&s, (int)a.row, at))
                send(p, &s, a, at, v);
    });
}
// ANCHOR_END: inner

/* ---- the way back ---- */

/* Behind the boxes: flags [from][block], then rows [parity][from][n]. */
PTX_FN uint32_t *done_of(const sides &p, int at, int from)
{
    return (uint32_t *)(p.scratch[at] + MOST_BOXES * sizeof(box)) +
           from * MOST_BLOCKS;
}

PTX_FN uint4 *slot(const sides &p, int at, int from, int n, uint32_t ticket)
{
    uint4 *const first = (uint4 *)(done_of(p, at, 0) + ALL * MOST_BLOCKS);

    return first + ((size_t)(ticket % 2 * p.gpus + from) * p.t + n) * p.vectors;
}

/* Row number i to be sent. The next GPU's come first: else all GPUs would send
 * to GPU 0 at the same time, then to GPU 1. */
PTX_FN int turned(const sides &p, int i)
{
    return (i + begins(p, p.rank, p.rank + 1)) % begins(p, p.rank, p.gpus);
}

PTX_FN void send_back(const sides &p, const piece &a, uint32_t ticket)
{
    const int row = turned(p, (int)a.row), to = sender_of(p, row);
    uint4 v[ACROSS];

    if (to == p.rank)
        return;
    load_piece(p, y_row(p, p.rank, row), a.from, v);
    store_piece(p, slot(p, to, p.rank, row - begins(p, p.rank, to), ticket),
                a.from, v);
}

/* Tells all GPUs that this block's rows are there, and waits for all blocks of
 * all. */
PTX_FN void wait_for_all(const sides &p, uint32_t ticket)
{
    const int at = (int)threadIdx.x;

    __syncthreads();
    if (at < p.gpus && at != p.rank)
        ptx_flag_send(done_of(p, at, p.rank) + blockIdx.x, ticket);
    for (unsigned i = threadIdx.x; i < p.gpus * gridDim.x; i += THREADS)
        if ((int)(i / gridDim.x) != p.rank)
            wait_for(done_of(p, p.rank, i / gridDim.x) + i % gridDim.x, ticket);
    __syncthreads();
}

// ANCHOR: back
static __global__ void __launch_bounds__(THREADS, 1)
    push_back(const __grid_constant__ sides p)
{
    __shared__ going s;
    box *const mine = box_of(p, p.rank);
    const uint32_t ticket = mine->ticket + 1;

    for_pieces(p, begins(p, p.rank, p.gpus),
               [&](const piece &a) { send_back(p, a, ticket); });
    count(p, &s);
    wait_for_all(p, ticket);
    for_pieces(p, p.t, [&](const piece &a) {
        add_piece(p, &s, a, [&](int h, int n) {
            return h == p.rank ? y_row(p, h, begins(p, h, p.rank) + n)
                               : slot(p, p.rank, h, n, ticket);
        });
    });
    if (threadIdx.x == 0)
        mine->ticket = ticket;
}
// ANCHOR_END: back

extern "C" size_t exchange_push_scratch(const struct kernel_case *c,
                                        const struct kernel_env *)
{
    const size_t rows = 2 * (size_t)kernel_gpus(c) * kernel_num(c, "t");

    return MOST_BOXES * sizeof(box) +
           (exchange_is_dispatch(c)
                ? 0
                : ALL * MOST_BLOCKS * sizeof(uint32_t) +
                      rows * 2 * (size_t)kernel_num(c, "hidden"));
}

extern "C" int exchange_push(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const unsigned blocks = blocks_of(c, env, MOST_BLOCKS);

    return on_all(c, env, buf, [&](const sides &p, cudaStream_t stream) {
        if (exchange_is_dispatch(c))
            push<<<blocks, THREADS, 0, stream>>>(p);
        else
            push_back<<<blocks, THREADS, 0, stream>>>(p);
        return (int)cudaGetLastError();
    });
}

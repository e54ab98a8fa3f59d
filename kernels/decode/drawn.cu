/*
 * decode/drawn - pieces go to whoever is free.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * decode/waves gives every SM the same number of tiles, and lost against
 * decode/last, whose blocks go to whichever SM has room. SMs are not equally
 * fast at reading: some share their way to memory with fewer others. An even
 * share then waits for the slowest of them, at the end of each call.
 *
 * Here a block stays on each SM, as in decode/waves, and draws pieces of rows
 * from a counter. The lane that asks for tiles draws the next piece while the
 * tiles of this one are still on their way, so six slots stay full from one
 * piece to the next. With each slot it leaves the number of its piece.
 *
 * Large pieces cost an uneven end, small ones parts that have to be written and
 * joined: 2 KB for four heads, where 128 keys and values are 64 KB. A block
 * gets some eight pieces or more, as long as they have 128 keys at least.
 *
 * Predicts: memory is the limit. 1.04 to 1.12 times decode/waves with 32
 * sequences of 8192 keys, 4.25 TB/s or more.
 */
#include "kernels/decode/share.cuh"
#include "kernels/tickets.cuh"

enum {
    LEAST = 2 * SIDE, /* keys of a piece */
    MOST = 16 * SIDE,
    EACH =
        8, /* pieces for each block, at least, unless they become too small */
};

/* Rows in pieces of so many keys: a row has room for `most` of them, and all
 * rows for `all`. */
struct cut {
    int span, most, all;
};

static __host__ __device__ inline cut cut_of(const attention &a, int rows,
                                             int span)
{
    const int most = ceil_div(a.l, span);

    return {span, most, rows * most};
}

/* What all blocks share in scratch memory. */
struct drawn {
    struct tickets *tickets;
    parts places; /* a place for each piece */
    uint32_t *count;
};

/* Keys of piece n of all that there are; none behind the last. */
static __device__ __forceinline__ int
keys_in_piece(const attention &a, const cut &c, int n, int rows)
{
    const int sequence = n / c.most / rows;

    return min(c.span, a.where[sequence] - n % c.most * c.span);
}

// ANCHOR: inner
/* The lane that asks, for tiles of one piece after another. */
template <int SLOTS, int ROWS>
static __device__ __forceinline__ void
fetch_drawn(const attention &a, const room<SLOTS, ROWS> &now, const maps &m,
            const cut &c, int *piece, struct tickets *t)
{
    int n = blockIdx.x, i = 0; /* i: tiles so far */

    while (n < c.all) {
        const int next = tickets_draw(t, gridDim.x); /* wanted a piece later */
        const struct row r = row_of(a, n / c.most, ROWS);
        const int first = (int)(keys_of(a, r) / DEEP) + n % c.most * c.span;
        const int keys = keys_in_piece(a, c, n, rows_of<ROWS>(a));

        for (int at = 0; at < keys; at += SIDE, i++) {
            ptx_mbar_wait(&now.empty[i % SLOTS], (i / SLOTS & 1) ^ 1);
            piece[i % SLOTS] = n;
            ask<SIDE>(now, m, i, 1, {first + at});
        }
        n = next;
    }
    ptx_mbar_wait(&now.empty[i % SLOTS], (i / SLOTS & 1) ^ 1);
    piece[i % SLOTS] = c.all; /* there are no more */
    ptx_mbar_arrive(&now.full[i % SLOTS]);
    tickets_end(t, gridDim.x);
}

/* Those that multiply: whatever comes. */
template <int SLOTS, int ROWS>
static __device__ __forceinline__ void
multiply_drawn(const attention &a, const room<SLOTS, ROWS> &now, const cut &c,
               const int *piece, const drawn &to)
{
    for (int i = 0;;) {
        ptx_mbar_wait(&now.full[i % SLOTS], i / SLOTS & 1);
        const int n = piece[i % SLOTS];

        if (n == c.all)
            return;
        const int number = n / c.most, rows = rows_of<ROWS>(a);
        const struct row r = row_of(a, number, ROWS);
        const int keys = keys_in_piece(a, c, n, rows);
        held x;

        begin(x, a, r);
        for (int at = 0; at < keys; at += SIDE)
            take(now, x, a.scale, i++, keys - at);
        ptx_sync_some(ALL_MULTIPLY, BESIDE); /* nobody reads the sums before */
        show(*now.sums, x);
        ptx_sync_some(ALL_MULTIPLY, BESIDE); /* sums of all warps are there */
        finish<ROWS>(
            a, r, *now.sums, to.places, ceil_div(a.where[r.sequence], c.span),
            n % c.most, [&](int part) { return number * c.most + part; },
            to.count + number);
    }
}
// ANCHOR_END: inner

template <int ROWS>
static __global__ void __launch_bounds__(THREADS, 1)
    draw(struct attention a, const __grid_constant__ maps m, cut c, drawn to)
{
    extern __shared__ char raw[];
    const int SLOTS = slots_beside<ROWS>;
    __shared__ int piece[SLOTS]; /* of the tile in each slot */
    const room<SLOTS, ROWS> now(raw);

    if (!fetches())
        multiply_drawn(a, now, c, piece, to);
    else if (threadIdx.x % WARP == 0)
        fetch_drawn(a, now, m, c, piece, to.tickets);
}

/* ---- the host's part ---- */

static cut cut_for(const attention &a, int sms)
{
    const int rows = a.b * a.kv * blocks_of_group(a, few_heads(a) ? 8 : 16);
    int span = MOST;

    while (span > LEAST && rows * ceil_div(a.l, span) < EACH * sms)
        span /= 2;
    return cut_of(a, rows, span);
}

static size_t parts_of(const attention &a, const cut &c)
{
    return (parts_bytes(c.all, few_heads(a) ? 8 : 16) + 15) / 16 * 16;
}

template <int ROWS>
static int start(const attention &a, const maps &m,
                 const struct kernel_env *env, void *scratch)
{
    const int shared = room<slots_beside<ROWS>, ROWS>::SHARED;
    const int error = with_room(draw<ROWS>, shared);
    const cut c = cut_for(a, env->sms);
    struct tickets *const t =
        (struct tickets *)((char *)scratch + parts_of(a, c));
    const drawn to = {t, parts_at(scratch, c.all, ROWS), (uint32_t *)(t + 1)};

    if (error)
        return error;
    draw<ROWS> < <<c.all<env->sms ? c.all : env->sms, THREADS, shared,
                         (cudaStream_t)env->stream>>>(a, m, c, to);
    return cudaGetLastError();
}

extern "C" size_t decode_drawn_scratch(const struct kernel_case *c,
                                       const struct kernel_env *env)
{
    void *const none[DECODE_SCRATCH] = {};
    const struct attention a = attention_of(c, none);
    const cut k = cut_for(a, env->sms);

    return parts_of(a, k) + sizeof(struct tickets) +
           k.all / k.most * sizeof(uint32_t);
}

extern "C" const char *decode_drawn_prepare(const struct kernel_case *c,
                                            const struct kernel_env *,
                                            void *const *buf, void **state)
{
    return maps_open(c, buf, state);
}

extern "C" int decode_drawn(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *state)
{
    const struct attention a = attention_of(c, buf);

    return few_heads(a)
               ? start<8>(a, *(const maps *)state, env, buf[DECODE_SCRATCH])
               : start<16>(a, *(const maps *)state, env, buf[DECODE_SCRATCH]);
}

/*
 * decode/handed - other warps end a piece.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * decode/drawn lost, because the warps that multiply end each piece, too: they
 * join their sums, write them, count, and wait for the L2 meanwhile. That takes
 * some two microseconds. A piece of four tiles takes four, and six slots fill
 * up behind it.
 *
 * Here they put their sums into shared memory, arrive at a barrier and go on
 * with the next piece. Four other warps join, write and count. They have as
 * long as the piece after that takes. So the cost of an end is a few hundred
 * clocks, and pieces may be as short as those of decode/last. The SMs that read
 * faster draw more of them: in the scan these are 24 of 132, by a fifth.
 *
 * Tiles are those of decode/whole, six slots of them, and the rest is
 * decode/drawn.
 *
 * Predicts: memory is the limit. 1.04 to 1.14 times decode/waves with 32
 * sequences of 8192 keys, 4.2 to 4.6 TB/s, and 1.25 times decode/drawn or more
 * with eight.
 */
#include "kernels/decode/whole.cuh"
#include "kernels/tickets.cuh"

enum {
    LEAST = 2 * SIDE, /* keys of a piece */
    MOST = 8 * SIDE,
    EACH = 8,                 /* pieces for each block, if they are no less */
    ALL = 2 * BESIDE + WARP,  /* threads: that end, multiply, ask */
    ASKS = 2 * BESIDE / WARP, /* number of the warp that asks */
};

/* Rows in pieces of `span` keys, so many for the longest row and for all. */
struct cut {
    int span, of_row, all;
};

/* What blocks share in scratch memory. */
struct common {
    parts places; /* of all pieces */
    struct tickets *tickets;
    uint32_t *count; /* of rows */
};

/* From the warp that asks, and from those that multiply to those that end:
 * which piece tiles and sums are of. */
struct handover {
    uint64_t shown, taken;
    int of_sums, of_tile[slots_beside<8>];
};

struct piece {
    int number, part, parts, first, keys;
};

/* Piece n: which part it is of row `number`, and its keys. */
template <int ROWS>
static __device__ __forceinline__ struct piece piece_of(const attention &a,
                                                        const cut &c, int n)
{
    const int number = n / c.of_row, part = n % c.of_row;
    const int has = a.where[number / rows_of<ROWS>(a)];

    return {number, part, ceil_div(has, c.span), part * c.span,
            min(c.span, has - part * c.span)};
}

/* The warp that asks: pieces that it draws, and then a slot of no piece. */
template <int SLOTS, int ROWS>
static __device__ __forceinline__ void
fetch(const attention &a, const slots<SLOTS, ROWS> &now, const cut &c,
      int *of_tile, struct tickets *t)
{
    const bool first = threadIdx.x % WARP == 0;
    int i = 0; /* tiles so far */
    const auto say = [&](int n) {
        ptx_mbar_wait(&now.empty[i % SLOTS], (i / SLOTS & 1) ^ 1);
        if (first)
            of_tile[i % SLOTS] = n;
    };

    for (int n = blockIdx.x; n < c.all;) {
        const int drawn = first ? tickets_draw(t, gridDim.x) : 0;
        const struct piece p = piece_of<ROWS>(a, c, n);
        const size_t from =
            keys_of(a, row_of(a, p.number, ROWS)) + (size_t)p.first * DEEP;

        for (int at = 0; at < p.keys; at += SIDE, i++) {
            say(n);
            ask_whole(now, a, i, from + (size_t)at * DEEP, p.keys - at);
        }
        n = __shfl_sync(0xffffffffu, drawn, 0); /* wanted a piece later */
    }
    say(c.all);
    if (first) {
        ptx_mbar_arrive(&now.full[i % SLOTS]);
        tickets_end(t, gridDim.x);
    }
}

// ANCHOR: inner
/* Warps that multiply: whatever comes. They hand their sums over, and at last
 * that there are no more. */
template <int SLOTS, int ROWS>
static __device__ __forceinline__ void
multiply_drawn(const attention &a, const slots<SLOTS, ROWS> &now, const cut &c,
               handover &to)
{
    const int lane = threadIdx.x % WARP;

    for (int i = 0, turn = 0;; turn++) {
        swapped<ROWS> x;

        ptx_mbar_wait(&now.full[i % SLOTS], i / SLOTS & 1);
        const int n = to.of_tile[i % SLOTS];

        if (n < c.all) {
            const struct piece p = piece_of<ROWS>(a, c, n);

            begin_whole(x, a, row_of(a, p.number, ROWS));
            for (int at = 0; at < p.keys; at += SIDE)
                take_whole(now, x, a.scale, i++, p.keys - at);
        }
        ptx_mbar_wait(&to.taken, (turn & 1) ^ 1); /* the sums before these */
        if (n < c.all)
            show_whole(*now.sums, x);
        if (threadIdx.x == BESIDE)
            to.of_sums = n;
        __syncwarp(); /* the sums of all lanes are there */
        if (lane == 0)
            ptx_mbar_arrive(&to.shown);
        if (n == c.all)
            return;
    }
}

/* Warps that end pieces. */
template <int ROWS>
static __device__ __forceinline__ void
end_pieces(const attention &a, warp_parts<ROWS> &sums, const cut &c,
           const common &to, handover &from)
{
    const int warp = threadIdx.x / WARP;

    for (int turn = 0;; turn++) {
        ptx_mbar_wait(&from.shown, turn & 1);
        const int n = from.of_sums;

        if (n == c.all)
            return;
        const struct piece p = piece_of<ROWS>(a, c, n);
        const struct row r = row_of(a, p.number, ROWS);
        struct weight all;

        for (int h = warp; h < r.heads; h += WARPS) {
            const float4 o = join_warps(sums, h, all);

            if (p.parts == 1)
                put(a, query_of(a, r, h), o, all);
            else
                leave(to.places, n, h, o, all);
        }
        __syncwarp(); /* no lane needs the sums any more */
        if (threadIdx.x % WARP == 0)
            ptx_mbar_arrive(&from.taken);
        if (p.parts == 1 || !is_last(to.count + p.number, p.parts))
            continue;
        for (int h = warp; h < r.heads; h += WARPS) {
            const float4 o = join(
                to.places, h, p.parts, [&](int i) { return n - p.part + i; },
                all);

            put(a, query_of(a, r, h), o, all);
        }
    }
}
// ANCHOR_END: inner

template <int ROWS>
static __global__ void __launch_bounds__(ALL, 1)
    handed(struct attention a, cut c, common to)
{
    extern __shared__ __align__(128) char raw[];
    const int SLOTS = slots_beside<ROWS>;
    handover &over = *(handover *)(raw + slots<SLOTS, ROWS>::SHARED);

    if (threadIdx.x == 0) {
        ptx_mbar_init(&over.shown, WARPS);
        ptx_mbar_init(&over.taken, WARPS);
    }
    const slots<SLOTS, ROWS> now(raw);

    if (threadIdx.x < BESIDE)
        end_pieces(a, *now.sums, c, to, over);
    else if (threadIdx.x / WARP == ASKS)
        fetch(a, now, c, over.of_tile, to.tickets);
    else
        multiply_drawn(a, now, c, over);
}

/* ---- the host's part ---- */

static cut cut_for(const attention &a, int sms)
{
    const int rows = a.b * a.kv * blocks_of_group(a, few_heads(a) ? 8 : 16);
    int span = MOST;

    while (span > LEAST && rows * ceil_div(a.l, span) < EACH * sms)
        span /= 2;
    return {span, ceil_div(a.l, span), rows * ceil_div(a.l, span)};
}

template <int ROWS>
static int start(const attention &a, const cut &c, const struct kernel_env *env,
                 void *scratch)
{
    const int shared =
        slots<slots_beside<ROWS>, ROWS>::SHARED + (int)sizeof(handover);
    const int error = with_room(handed<ROWS>, shared);
    struct tickets *const t = (struct tickets *)scratch;
    uint32_t *const count = (uint32_t *)(t + 2); /* 16 bytes, and aligned so */
    const int rows = (c.all / c.of_row + 3) / 4 * 4;
    const common to = {parts_at(count + rows, c.all, ROWS), t, count};

    if (error)
        return error;
    handed<ROWS>
        <<<min(c.all, env->sms), ALL, shared, (cudaStream_t)env->stream>>>(a, c,
                                                                           to);
    return cudaGetLastError();
}

extern "C" size_t decode_handed_scratch(const struct kernel_case *c,
                                        const struct kernel_env *env)
{
    void *const none[DECODE_SCRATCH] = {};
    const struct attention a = attention_of(c, none);
    const cut k = cut_for(a, env->sms);

    return 2 * sizeof(struct tickets) +
           (k.all / k.of_row + 3) / 4 * 4 * sizeof(uint32_t) +
           parts_bytes(k.all, few_heads(a) ? 8 : 16);
}

extern "C" int decode_handed(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const struct attention a = attention_of(c, buf);
    const cut k = cut_for(a, env->sms);

    return few_heads(a) ? start<8>(a, k, env, buf[DECODE_SCRATCH])
                        : start<16>(a, k, env, buf[DECODE_SCRATCH]);
}

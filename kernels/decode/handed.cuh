/*
 * kernels/decode/handed.cuh - blocks that stay on their SM and draw pieces of
 * rows. One warp asks for tiles, four multiply, and four end pieces.
 *
 * A way of walking says which tiles a piece has, and whether a call may begin
 * while the kernel before ends:
 *
 *   ABREAST   pieces of a row have every n-th of its tiles, as the blocks of
 *             decode/abreast; or tiles that follow each other
 *   EARLY     it may. Then tickets are drawn, queries read and sums written
 *             only when the kernel before has ended.
 */
#ifndef KERNELS_DECODE_HANDED_CUH
#define KERNELS_DECODE_HANDED_CUH

#ifdef DECODE_BYTES
#include "kernels/decode/operands_bytes.cuh"
#else
#include "kernels/decode/operands.cuh"
#endif
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

/* A piece: which part it is of row `number`, and its tiles: every `step`th of
 * the row from number `first` on. The row has so many keys. */
struct piece {
    int number, part, parts, first, step, tiles, has;

    /* Where tile i begins, and how many keys are there from it on. */
    __device__ int key(int i) const
    {
        return (first + i * step) * SIDE;
    }
    __device__ int left(int i) const
    {
        return has - key(i);
    }
};

/* Piece i. There are more for a row than it has parts, if others are longer. */
template <int ROWS, bool ABREAST>
static __device__ __forceinline__ struct piece piece_of(const attention &a,
                                                        const cut &c, int i)
{
    const int number = i / c.of_row, part = i % c.of_row;
    const int has = a.where[number / rows_of<ROWS>(a)];
    const int tiles = ceil_div(has, SIDE), parts = ceil_div(has, c.span);
    const int each = c.span / SIDE, first = ABREAST ? part : part * each;
    const int step = ABREAST ? parts : 1;

    const int n = part < parts ? min(each, ceil_div(tiles - first, step)) : 0;

    return {number, part, parts, first, step, n, has};
}

/* The warp that asks: pieces that it draws, and then a slot of no piece. The
 * next piece is drawn when the slots are full for the first time, or a piece
 * ends: it is wanted some tiles later. EARLY: the kernel before is waited for
 * directly before that, or before a tile with a last key. */
template <bool ABREAST, bool EARLY, int SLOTS, int ROWS, class A>
static __device__ __forceinline__ void
fetch(const A &a, const slots<SLOTS, ROWS> &now, const cut &c, int *of_tile,
      struct tickets *t)
{
    const bool first = threadIdx.x % WARP == 0;
    int i = 0, drawn = 0; /* i: tiles so far */
    const auto say = [&](int n) {
        ptx_mbar_wait(&now.empty[i % SLOTS], (i / SLOTS & 1) ^ 1);
        if (first)
            of_tile[i % SLOTS] = n;
    };

    for (int n = blockIdx.x; n < c.all;) {
        const struct piece p = piece_of<ROWS, ABREAST>(a, c, n);
        const struct row r = row_of(a, p.number, ROWS);
        const size_t from = keys_of(a, r);
        const int draws = max(1, min(SLOTS, p.tiles)) - 1;

        for (int j = 0; j < max(1, p.tiles); j++) {
            if (EARLY && p.left(j) <= SIDE)
                ptx_wait_for_last_kernel(); /* it has made the last key */
            if (j < p.tiles) {
                say(n);
                ask_whole(now, a, i++, from + (size_t)p.key(j) * DEEP,
                          p.left(j), pairs_of(a, r) + p.key(j) / SIDE * PAIRS);
            }
            if (EARLY && j == draws)
                ptx_wait_for_last_kernel(); /* counters are its own, too */
            if (first && j == draws)
                drawn = tickets_draw(t, gridDim.x);
        }
        n = __shfl_sync(0xffffffffu, drawn, 0);
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
template <bool ABREAST, int SLOTS, int ROWS>
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
            const struct piece p = piece_of<ROWS, ABREAST>(a, c, n);

            begin_whole(x, a, row_of(a, p.number, ROWS));
            for (int j = 0; j < p.tiles; j++)
                take_whole(now, x, a.scale, i++, p.left(j));
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
template <bool ABREAST, int ROWS>
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
        const struct piece p = piece_of<ROWS, ABREAST>(a, c, n);
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

/* What a block does. */
template <int ROWS, bool ABREAST, bool EARLY, class A>
static __device__ __forceinline__ void
draw_pieces(char *raw, const A &a, const cut &c, const common &to)
{
    const int SLOTS = slots_beside<ROWS>;
    handover &over = *(handover *)(raw + slots<SLOTS, ROWS>::SHARED);

    if (threadIdx.x == 0) {
        ptx_mbar_init(&over.shown, WARPS);
        ptx_mbar_init(&over.taken, WARPS);
    }
    const slots<SLOTS, ROWS> now(raw);

    if (threadIdx.x / WARP == ASKS)
        return fetch<ABREAST, EARLY>(a, now, c, over.of_tile, to.tickets);
    if (EARLY)
        ptx_wait_for_last_kernel(); /* queries, and places for sums */
    if (threadIdx.x < BESIDE)
        end_pieces<ABREAST>(a, *now.sums, c, to, over);
    else
        multiply_drawn<ABREAST>(a, now, c, over);
}

/* ---- the host's part ---- */

static inline cut cut_for(const attention &a, int sms)
{
    const int rows = a.b * a.kv * blocks_of_group(a, few_heads(a) ? 8 : 16);
    int span = MOST;

    while (span > LEAST && rows * ceil_div(a.l, span) < EACH * sms)
        span /= 2;
    return {span, ceil_div(a.l, span), rows * ceil_div(a.l, span)};
}

/* What lies where in scratch memory: counters, and then parts. */
template <int ROWS> static inline common common_at(const cut &c, void *scratch)
{
    struct tickets *const t = (struct tickets *)scratch;
    uint32_t *const count = (uint32_t *)(t + 2); /* at a multiple of 16 bytes */
    const int rows = (c.all / c.of_row + 3) / 4 * 4;

    return {parts_at(count + rows, c.all, ROWS), t, count};
}

static inline size_t common_bytes(const struct kernel_case *c,
                                  const struct kernel_env *env)
{
    void *const none[DECODE_SCRATCH] = {};
    const struct attention a = attention_of(c, none);
    const cut k = cut_for(a, env->sms);

    return 2 * sizeof(struct tickets) +
           (k.all / k.of_row + 3) / 4 * 4 * sizeof(uint32_t) +
           parts_bytes(k.all, few_heads(a) ? 8 : 16);
}

/* Shared memory of a block. */
template <int ROWS>
constexpr int shared_for = slots<slots_beside<ROWS>, ROWS>::SHARED +
                           (int)sizeof(handover);

#endif

/*
 * exchange/bulk - the TMA moves rows through shared memory.
 *
 * dispatch: got[at] = rows of the tokens that have an expert at GPU `at`.
 * combine:  out = sum over GPUs of weight y, in their order.
 *
 * In exchange/push a lane holds a seventh of a piece in registers, and issues
 * an instruction for every 16 bytes that it stores to each GPU. Here one lane
 * asks for whole rows, into slots of shared memory. When a row has come, it is
 * stored from there to each GPU: an instruction for 14 KiB. Each of four warps
 * of a block has three slots: one is filled, and two are stored from.
 *
 * The way back is that of exchange/pull. A slot has a piece of the row of each
 * GPU, and the warp adds them up from there.
 *
 * A flag is seen by a thread, and the TMA moves what it speaks of. So a fence
 * between the two kinds of access follows a meeting, and precedes one.
 *
 * Predicts: fewer instructions, and perhaps larger packets on the link: up to
 * 15 % more bandwidth than exchange/push for 4096 tokens. For 8 tokens a row
 * passes shared memory before any of it leaves: slower by a microsecond.
 */
#include "kernels/exchange/sides.cuh"

enum {
    MOVERS = 4, /* warps that move rows */
    SLOTS = 3,  /* of each */
    ROW = 7168 * 2,
    PART = PIECE * 16, /* bytes of a piece; four of them are a slot */
    MOST_BLOCKS = 64,
};
static_assert(PART * ALL == ROW, "a slot has a row, or a piece of four");

/* What a warp has in shared memory. */
struct ring {
    char slot[SLOTS][ROW];
    uint16_t marks[SLOTS][ALL][EXCHANGE_MARK];
    uint64_t full[SLOTS];
    char padding[128 - SLOTS * sizeof(uint64_t)];
};

enum { SHARED = MOVERS * (int)sizeof(ring) };

PTX_FN void make_ready(ring *rings)
{
    if (threadIdx.x == 0) {
        for (int w = 0; w < MOVERS; w++)
            for (int i = 0; i < SLOTS; i++)
                ptx_mbar_init(&rings[w].full[i], 1);
        ptx_mbar_init_fence();
    }
    __syncthreads();
}

/* The warp's n-th piece of work. */
PTX_FN unsigned nth(unsigned n)
{
    return blockIdx.x + gridDim.x * (threadIdx.x / WARP + n * MOVERS);
}

/* ---- out ---- */

/* Asks for the warp's n-th token. One lane. */
PTX_FN void ask(const sides &p, ring *r, unsigned n)
{
    const unsigned token = nth(n), slot = n % SLOTS;

    if (token >= (unsigned)p.t)
        return;
    ptx_mbar_expect(&r->full[slot], p.vectors * 16);
    ptx_bulk_load(r->slot[slot], (const uint4 *)p.x + (size_t)token * p.vectors,
                  p.vectors * 16, &r->full[slot], ptx_evict_first());
}

/* Stores the row in a slot to all that want it. One lane. */
PTX_FN void give(const sides &p, const going *s, const ring *r, unsigned slot,
                 int token)
{
    for (int at = 0; at < p.gpus; at++) {
        if (!goes(s, token, at))
            continue;
        uint4 *const to = got_row(p, at, s->first[at] + before(s, token, at));

        ptx_bulk_store(to, r->slot[slot], p.vectors * 16, ptx_evict_normal());
        ptx_bulk_store(to + p.vectors, r->marks[slot][at], MARK * 16,
                       ptx_evict_normal());
    }
    ptx_bulk_commit();
}

// ANCHOR: inner
PTX_FN void move_rows(const sides &p, const going *s, ring *r)
{
    const int lane = threadIdx.x % WARP;

    if (lane == 0)
        ask(p, r, 0);
    for (unsigned n = 0; nth(n) < (unsigned)p.t; n++) {
        const int token = (int)nth(n);
        const unsigned slot = n % SLOTS;

        if (lane == 0) {
            ptx_bulk_wait_read<1>(); /* the slot before the last is free */
            ask(p, r, n + SLOTS - 2);
        }
        __syncwarp();
        if (lane < EXCHANGE_MARK)
            for (int at = 0; at < p.gpus; at++)
                r->marks[slot][at][lane] = mark_of(p, token, at, lane);
        ptx_mbar_wait(&r->full[slot], n / SLOTS % 2);
        ptx_fence_async();
        __syncwarp(); /* the marks are whole */
        if (lane == 0)
            give(p, s, r, slot, token);
    }
    if (lane == 0) {
        ptx_bulk_wait<0>(); /* all rows are where they belong */
        ptx_fence_async_all();
    }
}
// ANCHOR_END: inner

static __global__ void __launch_bounds__(THREADS, 1)
    bulk(const __grid_constant__ sides p)
{
    extern __shared__ __align__(128) char raw[];
    __shared__ going s;
    ring *const rings = (ring *)raw;
    box *const mine = box_of(p, p.rank);
    const uint32_t ticket = mine->ticket + 1;

    make_ready(rings);
    count(p, &s);
    tell_counts(p, &s, ticket);
    ptx_fence_async_all();
    if (threadIdx.x < MOVERS * WARP)
        move_rows(p, &s, rings + threadIdx.x / WARP);
    meet(p, ticket); /* all rows are there */
    if (threadIdx.x == 0)
        mine->ticket = ticket;
}

/* ---- back ---- */

PTX_FN char *part(ring *r, unsigned slot, int h)
{
    return r->slot[slot] + h * PART;
}

/* Bytes of a piece. */
PTX_FN unsigned size_of(const sides &p, const piece &a)
{
    const unsigned left = p.vectors - a.from;

    return (left < PIECE ? left : (unsigned)PIECE) * 16;
}

/* Asks all GPUs for the warp's n-th piece. One lane. */
PTX_FN void ask_back(const sides &p, const going *s, ring *r, unsigned n)
{
    const piece a = piece_of(p, nth(n));
    const unsigned slot = n % SLOTS;
    const int token = (int)a.row;

    if (token >= p.t)
        return;
    const unsigned size = size_of(p, a);

    ptx_mbar_expect(&r->full[slot], size * __popc(gpus_of(p, token)));
    for (int h = 0; h < p.gpus; h++)
        if (goes(s, token, h)) {
            const int row = begins(p, h, p.rank) + before(s, token, h);

            ptx_bulk_load(part(r, slot, h), y_row(p, h, row) + a.from, size,
                          &r->full[slot], ptx_evict_first());
        }
}

/* The sum of vector i of a slot, in the order of the GPUs. */
PTX_FN uint4 add_slot(const sides &p, const going *s, ring *r, unsigned slot,
                      int token, unsigned i)
{
    float sum[VECTOR] = {};

    for (int h = 0; h < p.gpus; h++)
        if (goes(s, token, h))
            add_vector(sum, p.weight[token * p.gpus + h],
                       ((const uint4 *)part(r, slot, h))[i]);
    return rounded(sum);
}

// ANCHOR: back
PTX_FN void add_rows(const sides &p, const going *s, ring *r)
{
    const unsigned all = (unsigned)p.t * pieces_of(p);
    const unsigned lane = threadIdx.x % WARP;

    for (unsigned n = 0; lane == 0 && n < SLOTS; n++)
        ask_back(p, s, r, n);
    for (unsigned n = 0; nth(n) < all; n++) {
        const piece a = piece_of(p, nth(n));
        const unsigned slot = n % SLOTS;
        uint4 *const to = (uint4 *)p.out + (size_t)a.row * p.vectors + a.from;

        ptx_mbar_wait(&r->full[slot], n / SLOTS % 2);
        for (unsigned i = lane; i < size_of(p, a) / 16; i += WARP)
            to[i] = add_slot(p, s, r, slot, (int)a.row, i);
        __syncwarp(); /* the slot is free */
        if (lane == 0)
            ask_back(p, s, r, n + SLOTS);
    }
}
// ANCHOR_END: back

static __global__ void __launch_bounds__(THREADS, 1)
    bulk_back(const __grid_constant__ sides p)
{
    extern __shared__ __align__(128) char raw[];
    __shared__ going s;
    ring *const rings = (ring *)raw;
    box *const mine = box_of(p, p.rank);
    const uint32_t ticket = mine->ticket;

    make_ready(rings);
    count(p, &s);
    meet(p, ticket + 1); /* their rows are there */
    ptx_fence_async_all();
    if (threadIdx.x < MOVERS * WARP)
        add_rows(p, &s, rings + threadIdx.x / WARP);
    meet(p, ticket + 2); /* nobody reads mine any more */
    if (threadIdx.x == 0)
        mine->ticket = ticket + 2;
}

/* ---- the host's side ---- */

static int allow_shared(void (*kernel)(sides))
{
    return cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED);
}

extern "C" const char *exchange_bulk_prepare(const struct kernel_case *,
                                             const struct kernel_env *env,
                                             void *const *, void **)
{
    int rc = 0;

    for (int g = 0; g < env->gpus && !rc; g++) {
        rc = cudaSetDevice(g);
        if (!rc)
            rc = allow_shared(bulk);
        if (!rc)
            rc = allow_shared(bulk_back);
    }
    return rc ? "a block cannot have that much shared memory" : NULL;
}

extern "C" size_t exchange_bulk_scratch(const struct kernel_case *,
                                        const struct kernel_env *)
{
    return MOST_BOXES * sizeof(box);
}

extern "C" int exchange_bulk(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const unsigned blocks = blocks_of(c, env, MOST_BLOCKS);

    return on_all(c, env, buf, [&](const sides &p, cudaStream_t stream) {
        if (exchange_is_dispatch(c))
            bulk<<<blocks, THREADS, SHARED, stream>>>(p);
        else
            bulk_back<<<blocks, THREADS, SHARED, stream>>>(p);
        return (int)cudaGetLastError();
    });
}

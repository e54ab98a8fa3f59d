/*
 * overlap/flags - a few SMs carry tiles away as they are made.
 *
 * C = rows of A B^T of GPU 0 + A B^T of GPU 1 + ..., a share for each GPU.
 *
 * overlap/streams lets a whole piece wait for its last tile. But a tile is done
 * when its stores are. Here the warp group that made it then raises a flag, and
 * a block that does nothing else, the courier, carries the tile to its owner:
 * by the TMA into shared memory and on to the other GPU, eight panels of 8 KB
 * on their way in and eight out.
 *
 * Two SMs read 97 GB/s from another GPU (ceilings/peer), and two GPUs need 61.
 * With more GPUs four SMs carry. Those multiply no longer. But 4096 rows are
 * 512 pairs of tiles, which take eight rounds on 66 pairs of SMs, on 65 and
 * on 64. So I expect that to cost nothing: the last round had SMs to spare.
 *
 * Each GPU begins with the rows of the next one and ends with its own. When the
 * couriers are done they raise a flag at the owners. Slots for terms are used
 * by two calls in turns: who begins call t + 2 has what all couriers brought in
 * call t + 1, and they began that after call t.
 *
 * Predicts: 1.0 to 1.07 times overlap/sequential with 4096 rows between two
 * GPUs, and ahead of overlap/streams.
 */
#include "kernels/overlap/fields.cuh"

enum {
    TURNS = 2,
    PLACES = 16, /* panels in a courier's shared memory */
    AHEAD = 8,   /* of them on their way in */
    PANELS_HIGH = ROWS / WGMMA_HIGH,
    PANELS_WIDE = WIDE / 64,
    PANELS_OF_PAIR = PANELS_HIGH * PANELS_WIDE,
};

struct carrying {
    CUtensorMap a, b, made[OVERLAP_MOST];  /* here, by their owners */
    CUtensorMap slot[TURNS][OVERLAP_MOST]; /* at their owners */
    fields f;
    team t;
    sum_of sum[TURNS];
    int couriers; /* blocks that carry */
};

/* What a warp group raises when its 64 rows of a tile are made. */
PTX_FN uint32_t *flags_of(const carrying &p, int pair)
{
    uint32_t *const first = (uint32_t *)(p.t.scratch[p.t.rank] + BOXES_BYTES);

    return first + pair * PANELS_HIGH;
}

/* ---- couriers: one thread ---- */

/* A courier's panel number i: of which pair, and which of its panels. */
struct panel {
    int pair, part;
};

PTX_FN panel panel_of(const carrying &p, int i)
{
    const int courier = (int)blockIdx.x - p.f.blocks;

    return {i / PANELS_OF_PAIR * p.couriers + courier, i % PANELS_OF_PAIR};
}

/* Its owner, and where it is among the owner's rows. */
PTX_FN spot spot_of_panel(const fields &f, const panel &w)
{
    const int each = pairs_of(f.p);
    const place at = in_bands(w.pair % each, BAND, ceil_div(f.p.m, ROWS),
                              ceil_div(f.p.n, WIDE));

    return {(f.first + w.pair / each) % f.gpus,
            {at.top * ROWS + w.part / PANELS_WIDE * WGMMA_HIGH,
             at.left * WIDE + w.part % PANELS_WIDE * 64}};
}

// ANCHOR: inner
/* Waits for a panel, and asks the TMA for it. */
PTX_FN void take(const carrying &p, const slots &r, uint32_t ticket,
                 const panel &w, int i)
{
    const spot s = spot_of_panel(p.f, w);
    uint64_t *const full = &r.full[i % PLACES];

    if (w.part % PANELS_WIDE == 0) {
        wait_for(flags_of(p, w.pair) + w.part / PANELS_WIDE, ticket);
        ptx_fence_async_all();
    }
    ptx_bulk_wait_read<PLACES - AHEAD - 1>(); /* its place is free */
    ptx_mbar_expect(full, PANEL);
    ptx_tile_load(r.a + i % PLACES * PANEL, &p.made[s.field], s.at.left,
                  s.at.top, full, ptx_evict_first());
}

/* Sends it on when it has come. */
PTX_FN void give(const carrying &p, const slots &r, int turn, const panel &w,
                 int i)
{
    const spot s = spot_of_panel(p.f, w);

    ptx_mbar_wait(&r.full[i % PLACES], i / PLACES & 1);
    ptx_tile_store(&p.slot[turn][s.field], s.at.left, s.at.top,
                   r.a + i % PLACES * PANEL, ptx_evict_first());
    ptx_bulk_commit();
}

static __device__ void carry(const carrying &p, const slots &r, uint32_t ticket)
{
    const int courier = (int)blockIdx.x - p.f.blocks;
    const int pairs = pairs_of(p.f.p) * (p.f.gpus - 1); /* of other owners */
    const int tiles =
        courier < pairs ? ceil_div(pairs - courier, p.couriers) : 0;
    const int mine = tiles * PANELS_OF_PAIR;

    for (int i = 0; i < mine + AHEAD; i++) {
        if (i >= AHEAD)
            give(p, r, (int)(ticket % TURNS), panel_of(p, i - AHEAD),
                 i - AHEAD);
        if (i < mine)
            take(p, r, ticket, panel_of(p, i), i);
    }
    ptx_bulk_wait<0>();
    ptx_fence_async_all();
    for (int h = 0; h < p.f.gpus; h++)
        if (h != p.t.rank)
            ptx_flag_send(&box_of(p.t, h, (int)blockIdx.x)->flag[p.t.rank],
                          ticket);
}
// ANCHOR_END: inner

/* ---- those who multiply ---- */

/* Waits until the own rows are made here, and the others have brought theirs.
 */
PTX_FN void all_are_there(const carrying &p, uint32_t ticket)
{
    const int thread = (int)threadIdx.x, blocks = p.f.blocks;
    const int others = p.f.gpus * p.couriers;

    if (thread % WGMMA_GROUP == 0)
        ptx_fence_async_all();
    ptx_sync_some(COMPUTE_BARRIER, COMPUTE);
    if (thread == 0)
        ptx_flag_send(&box_of(p.t, p.t.rank, (int)blockIdx.x)->flag[p.t.rank],
                      ticket);
    for (int i = thread; i < blocks + others; i += COMPUTE) {
        const int from = i < blocks ? p.t.rank : (i - blocks) / p.couriers;
        const int block = i < blocks ? i : blocks + (i - blocks) % p.couriers;

        if (i < blocks || from != p.t.rank)
            wait_for(&box_of(p.t, p.t.rank, block)->flag[from], ticket);
    }
    ptx_sync_some(COMPUTE_BARRIER, COMPUTE);
}

static __device__ __forceinline__ void
compute(const carrying &p, const slots &r, int group, uint32_t ticket)
{
    const int mine = (int)cluster_rank() * GROUPS + group;

    multiply_fields(r, p.f, group, send_to_owners(r, p.made, group),
                    [&](int pair) {
                        if (threadIdx.x % WGMMA_GROUP > 0)
                            return;
                        ptx_bulk_wait<0>(); /* its panels are in memory */
                        ptx_fence_async_all();
                        ptx_flag_send(flags_of(p, pair) + mine, ticket);
                    });
    all_are_there(p, ticket);
    sum_all_of(p.f.gpus, p.sum[ticket % TURNS],
               blockIdx.x * COMPUTE + threadIdx.x, p.f.blocks * COMPUTE);
}

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    flags(const __grid_constant__ carrying p)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[PLACES], empty[STAGES];
    const slots r = slots_in(raw, full, empty);
    const int group = threadIdx.x / WGMMA_GROUP;
    const bool carries = (int)blockIdx.x >= p.f.blocks;
    box *const mine = box_of(p.t, p.t.rank, (int)blockIdx.x);
    const uint32_t ticket = mine->ticket + 1;

    if (threadIdx.x == 0) {
        for (int i = STAGES; i < PLACES; i++)
            ptx_mbar_init(&full[i], 1);
        slots_init(r, PAIR * WARPS);
    }
    cluster_sync(); /* the barriers are ready, in both blocks */
    if (group == GROUPS) {
        wgmma_give_registers<FEW>();
        if (threadIdx.x % WGMMA_GROUP == 0 && carries)
            carry(p, r, ticket);
        else if (threadIdx.x % WGMMA_GROUP == 0)
            fetch_fields(r, p.f, &p.b, [&](const spot &s) {
                return from_a{&p.a, s.field * p.f.p.m + s.at.top};
            });
    } else {
        wgmma_take_registers<MANY>();
        if (!carries)
            compute(p, r, group, ticket);
    }
    cluster_sync(); /* neither reaches into the other any more */
    if (threadIdx.x == 0)
        mine->ticket = ticket;
}

/* ---- the host's side ---- */

struct carryings {
    carrying of[OVERLAP_MOST];
};

enum { FLAGS_ALIGN = 256 };

static size_t flags_bytes(const struct kernel_case *c)
{
    const size_t all =
        sizeof(uint32_t) * PANELS_HIGH * fields_pairs(fields_of(c, 0, 1));

    return (all + FLAGS_ALIGN - 1) / FLAGS_ALIGN * FLAGS_ALIGN;
}

/* A share of a matrix, number i behind the flags of GPU `at`: first what it has
 * made for each owner, then the terms that it gets. */
static uint16_t *share_at(const struct kernel_case *c, void *const *buf, int at,
                          int i)
{
    const size_t each = (size_t)overlap_share(c) * kernel_num(c, "n");

    return behind_boxes(buf, at, flags_bytes(c) + i * each * sizeof(uint16_t));
}

/* What GPU g makes for GPU h, and gets from it. */
static const char *describe_field(const struct kernel_case *c, void *const *buf,
                                  int g, int h, carrying *s)
{
    const int n = (int)kernel_num(c, "n"), share = overlap_share(c);
    const int gpus = kernel_gpus(c);
    const char *why = tensor_map_make<uint16_t>(
        &s->made[h], share_at(c, buf, g, h), share, n, WGMMA_HIGH);

    for (int turn = 0; turn < TURNS && why == NULL; turn++) {
        const int first = (turn + 1) * gpus;

        s->sum[turn].term[h] = share_at(c, buf, g, h == g ? g : first + h);
        why = tensor_map_make<uint16_t>(&s->slot[turn][h],
                                        share_at(c, buf, h, first + g), share,
                                        n, WGMMA_HIGH);
    }
    return why;
}

static const char *describe(const struct kernel_case *c, void *const *buf,
                            int g, int sms, carrying *s)
{
    void *const *const of = kernel_of_gpu(buf, g);
    const int gpus = kernel_gpus(c), n = (int)kernel_num(c, "n");
    const int k = (int)kernel_num(c, "k");
    const char *why = tensor_map_make<uint16_t>(
        &s->a, of[OVERLAP_A], gpus * overlap_share(c), k, HIGH);

    s->couriers = gpus > 2 ? 2 * PAIR : PAIR;
    s->f = fields_of(c, g + 1, sms - s->couriers);
    s->t = team_of(c, buf, g);
    s->sum[0] = s->sum[1] = sum_for(c, buf, g);
    if (why == NULL)
        why =
            tensor_map_make<uint16_t>(&s->b, of[OVERLAP_B], n, k, WIDE / PAIR);
    for (int h = 0; h < gpus && why == NULL; h++)
        why = describe_field(c, buf, g, h, s);
    return why;
}

extern "C" const char *overlap_flags_prepare(const struct kernel_case *c,
                                             const struct kernel_env *env,
                                             void *const *buf, void **state)
{
    const int sms = paired_sms(flags, env);

    if (sms == 0)
        return "its kernel cannot be loaded";
    return state_open<carryings>(env, state, [&](int g, carrying *part) {
        return describe(c, buf, g, sms, part);
    });
}

extern "C" size_t overlap_flags_scratch(const struct kernel_case *c,
                                        const struct kernel_env *)
{
    return BOXES_BYTES + flags_bytes(c) +
           (1 + TURNS) * sizeof(uint16_t) * (size_t)kernel_num(c, "m") *
               (size_t)kernel_num(c, "n");
}

extern "C" int overlap_flags(const struct kernel_case *,
                             const struct kernel_env *env, void *const *,
                             void *state)
{
    const carryings *const s = (const carryings *)state;

    return on_all(env, [&](int g, cudaStream_t stream) {
        const carrying p = s->of[g];

        flags<<<p.f.blocks + p.couriers, THREADS, LATER_SHARED, stream>>>(p);
        return (int)cudaGetLastError();
    });
}

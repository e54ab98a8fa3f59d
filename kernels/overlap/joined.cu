/*
 * overlap/joined - a tile takes in its other term on the way out.
 *
 * C = rows of A B^T of GPU 0 + A B^T of GPU 1, half of them for each GPU.
 *
 * In overlap/inside all GPUs meet behind their last tiles, and then the terms
 * are read again, to be added: with 4096 rows 67 MB of them, and 34 MB of sums
 * to write. Tensor cores rest meanwhile. But each GPU begins with the rows of
 * the other, in the same order. So the other GPU's term of one of my own tiles
 * has been here for half a product when I make mine. Its 64 x 64 panels come by
 * the TMA into the shared memory from which mine leave, are added to what is in
 * registers, and leave as sums. Neither term of the own rows passes memory
 * again but the one that came.
 *
 * A warp group raises a flag at the other GPU for each tile that it has sent
 * there, and waits for that of the tile that it takes in. A panel is asked for
 * a step of the next product before it is added. There are two slots for calls
 * in turns, as in overlap/inside.
 *
 * For two GPUs: a sum of two terms has one order.
 *
 * Predicts: 1.04 to 1.07 times overlap/sequential with 4096 rows, and ahead of
 * overlap/streams. With 512 rows tiles have nobody behind whom to hide: within
 * 3 % of overlap/inside.
 */
#include "kernels/overlap/fields.cuh"

enum {
    TURNS = 2,
    PARTS = ROWS / WGMMA_HIGH, /* of a pair of tiles, one for a warp group */
};

struct joining {
    CUtensorMap a, b, c;
    CUtensorMap there[TURNS], here[TURNS]; /* terms sent, and got */
    fields f;
    team t;
};

/* What the other GPU raises when 64 rows of a pair of tiles are here. */
PTX_FN uint32_t *flag_at(const joining &p, int gpu, int pair, int part)
{
    uint32_t *const first = (uint32_t *)(p.t.scratch[gpu] + BOXES_BYTES);

    return first + pair * PARTS + part;
}

/* ---- a warp group's outputs ---- */

/* The `send` of multiply_fields(): tiles of the other GPU leave for it, own
 * ones take in the other term. */
struct join {
    const joining &p;
    char *panels;
    uint64_t *come; /* a barrier for each of the panels */
    int group, turn;
    uint32_t ticket;
    int own; /* of the own pairs of tiles: which one waits; or less than 0 */

    __device__ void take(int pair, const spot &)
    {
        own = pair - pairs_of(p.f.p);
    }

    // ANCHOR: inner
    /* Asks for panel i of the other term; one thread. */
    __device__ void ask(const later &l, int i) const
    {
        char *const to = panels + i % PANELS * PANEL;
        const int part = (int)cluster_rank() * GROUPS + group;

        if (i == 0) {
            wait_for(flag_at(p, p.t.rank, own, part), ticket);
            ptx_fence_async_all(); /* before the TMA reads what came */
        }
        ptx_bulk_wait_read<0>(); /* what was there has left */
        ptx_mbar_expect(&come[i % PANELS], PANEL);
        ptx_tile_load(to, &p.here[turn], l.col + i * 64, l.row,
                      &come[i % PANELS], ptx_evict_first());
    }

    /* Adds what has come to panel i; `pair` is what this thread has of it. */
    __device__ void add(const later &l, const uint32_t *pair, int i) const
    {
        const int thread = threadIdx.x % WGMMA_GROUP, lane = threadIdx.x % WARP;
        const int mine = thread / WARP * 16 + lane % 16;
        char *const at = panels + i % PANELS * PANEL;

        ptx_mbar_wait(&come[i % PANELS], i / PANELS & 1);
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int chunk = (2 * j + lane / 16) ^ mine % 8;
            char *const place = at + mine * TENSOR_MAP_PANEL + chunk * 16;
            uint32_t term[4];

            ptx_ldmatrix(term, place);
#pragma unroll
            for (int k = 0; k < 4; k++) {
                float sum[2] = {};

                sum_pair(sum, pair[j * 4 + k]);
                sum_pair(sum, term[k]);
                term[k] = bf16_pair(sum[0], sum[1]);
            }
            ptx_stmatrix(place, term);
        }
        ptx_fence_async();
        ptx_sync_some(1 + group, WGMMA_GROUP); /* the panel is whole */
        if (thread == 0) {
            ptx_tile_store(&p.c, l.col + i * 64, l.row, at, ptx_evict_first());
            ptx_bulk_commit();
        }
    }
    // ANCHOR_END: inner

    /* In step i panel i is asked for, and the one before is added. */
    __device__ void operator()(const later &l, int step, bool rest) const
    {
        if (own < 0) {
            later_send(l, step, rest, panels, &p.there[turn], group);
            return;
        }
#pragma unroll
        for (int i = 0; i <= LATER_PANELS; i++) {
            if (!(rest ? i >= step : i == step))
                continue;
            if (i < LATER_PANELS && threadIdx.x % WGMMA_GROUP == 0)
                ask(l, i);
            if (i > 0)
                add(l, l.rounded + (i - 1) * PANEL_PAIRS, i - 1);
        }
    }
};

static __device__ __forceinline__ void compute(const joining &p, const slots &r,
                                               uint64_t *come, int group,
                                               uint32_t ticket)
{
    const int part = (int)cluster_rank() * GROUPS + group;
    char *const panels = r.behind + group * PANELS * PANEL;

    multiply_fields(
        r, p.f, group,
        join{p, panels, come + group * PANELS, group, (int)(ticket % TURNS),
             ticket, -1},
        [&](int pair) {
            if (threadIdx.x % WGMMA_GROUP > 0 || pair >= pairs_of(p.f.p))
                return;
            ptx_bulk_wait<0>(); /* its panels are there */
            ptx_fence_async_all();
            ptx_flag_send(flag_at(p, 1 - p.t.rank, pair, part), ticket);
        });
}

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    joined(const __grid_constant__ joining p)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES], empty[STAGES], come[GROUPS * PANELS];
    const slots r = slots_in(raw, full, empty);
    const int group = threadIdx.x / WGMMA_GROUP;
    box *const mine = box_of(p.t, p.t.rank, (int)blockIdx.x);
    const uint32_t ticket = mine->ticket + 1;

    if (threadIdx.x == 0) {
        for (int i = 0; i < GROUPS * PANELS; i++)
            ptx_mbar_init(&come[i], 1);
        slots_init(r, PAIR * WARPS);
    }
    cluster_sync(); /* the barriers are ready, in both blocks */
    if (group == GROUPS) {
        wgmma_give_registers<FEW>();
        if (threadIdx.x % WGMMA_GROUP == 0)
            fetch_fields(r, p.f, &p.b, [&](const spot &s) {
                return from_a{&p.a, s.field * p.f.p.m + s.at.top};
            });
    } else {
        wgmma_take_registers<MANY>();
        compute(p, r, come, group, ticket);
    }
    cluster_sync(); /* neither reaches into the other any more */
    if (threadIdx.x == 0)
        mine->ticket = ticket;
}

/* ---- the host's side ---- */

struct joinings {
    joining of[OVERLAP_MOST];
};

enum { FLAGS_ALIGN = 256 };

static size_t flags_bytes(const struct kernel_case *c)
{
    const size_t all =
        sizeof(uint32_t) * PARTS * pairs_of(fields_of(c, 0, 1).p);

    return (all + FLAGS_ALIGN - 1) / FLAGS_ALIGN * FLAGS_ALIGN;
}

/* Where GPU `at` gets the terms of the other one. */
static uint16_t *slot_of(const struct kernel_case *c, void *const *buf, int at,
                         int turn)
{
    const size_t each = (size_t)overlap_share(c) * kernel_num(c, "n");

    return behind_boxes(buf, at,
                        flags_bytes(c) + turn * each * sizeof(uint16_t));
}

static const char *describe(const struct kernel_case *c, void *const *buf,
                            int g, int sms, joining *s)
{
    void *const *const of = kernel_of_gpu(buf, g);
    const int gpus = kernel_gpus(c), n = (int)kernel_num(c, "n");
    const int k = (int)kernel_num(c, "k"), share = overlap_share(c);
    const char *why =
        tensor_map_make<uint16_t>(&s->a, of[OVERLAP_A], gpus * share, k, HIGH);

    s->f = fields_of(c, g + 1, sms);
    s->t = team_of(c, buf, g);
    if (why == NULL)
        why =
            tensor_map_make<uint16_t>(&s->b, of[OVERLAP_B], n, k, WIDE / PAIR);
    if (why == NULL)
        why = tensor_map_make<uint16_t>(&s->c, of[OVERLAP_C], share, n,
                                        WGMMA_HIGH);
    for (int turn = 0; turn < TURNS && why == NULL; turn++) {
        why = tensor_map_make<uint16_t>(
            &s->here[turn], slot_of(c, buf, g, turn), share, n, WGMMA_HIGH);
        if (why == NULL)
            why = tensor_map_make<uint16_t>(&s->there[turn],
                                            slot_of(c, buf, 1 - g, turn), share,
                                            n, WGMMA_HIGH);
    }
    return why;
}

extern "C" const char *overlap_joined_prepare(const struct kernel_case *c,
                                              const struct kernel_env *env,
                                              void *const *buf, void **state)
{
    const int sms = paired_sms(joined, env);

    if (sms == 0)
        return "its kernel cannot be loaded";
    return state_open<joinings>(env, state, [&](int g, joining *part) {
        return describe(c, buf, g, sms, part);
    });
}

extern "C" size_t overlap_joined_scratch(const struct kernel_case *c,
                                         const struct kernel_env *)
{
    return BOXES_BYTES + flags_bytes(c) +
           TURNS * sizeof(uint16_t) * (size_t)overlap_share(c) *
               (size_t)kernel_num(c, "n");
}

extern "C" int overlap_joined(const struct kernel_case *,
                              const struct kernel_env *env, void *const *,
                              void *state)
{
    const joinings *const s = (const joinings *)state;

    return on_all(env, [&](int g, cudaStream_t stream) {
        const joining p = s->of[g];

        joined<<<p.f.blocks, THREADS, LATER_SHARED, stream>>>(p);
        return (int)cudaGetLastError();
    });
}

/*
 * overlap/gather - rows come while those that are here are multiplied.
 *
 * C = (rows of A of all GPUs) B^T, with a share of the rows on each GPU.
 *
 * A product needs no row before it comes to the tile of that row. So each GPU
 * begins with the tiles of its own rows, and meanwhile the others send theirs.
 *
 * Who sends? In a block of gemm16/late a warp group only asks for tiles, and of
 * its 128 threads one does. The other three warps load rows of the own GPU and
 * store them to the others. That takes no SM away from the product. All blocks
 * send a part of the first 256 rows, then of the next, and count at the
 * receiver what they have sent. The thread that asks for tiles waits until all
 * parts of its 256 rows are there.
 *
 * Sent rows have two places. Calls use them in turns: who begins call t + 2 has
 * all rows of call t + 1, which were sent after call t had ended there.
 *
 * Predicts: rows arrive in a twentieth of the time that the own rows take. So
 * it is the time of the product: 1.02 to 1.06 times overlap/sequential with
 * 4096 rows between two GPUs, 1.07 to 1.15 times between four.
 */
#include "kernels/overlap/fields.cuh"

enum {
    TURNS = 2, /* places for rows of a source */
    LOADS = 4, /* vectors of 16 bytes that a thread has under way */
    MOVE = WGMMA_GROUP - WARP, /* threads that send */
};

struct gathering {
    CUtensorMap a, b, c[OVERLAP_MOST];
    CUtensorMap rows[TURNS][OVERLAP_MOST]; /* of each GPU, here */
    fields f;
    team t;
    const uint16_t *own;                 /* rows of this GPU */
    uint16_t *sent[TURNS][OVERLAP_MOST]; /* where the others get them */
    int parts; /* of 256 rows or fewer that a GPU has */
};

/* Counts what has come: of 256 rows number `part` of GPU `from`, at `at`. */
PTX_FN uint32_t *counter_of(const gathering &p, int at, int from, int part)
{
    uint32_t *const first = (uint32_t *)(p.t.scratch[at] + BOXES_BYTES);

    return first + from * p.parts + part;
}

// ANCHOR: inner
/* This block's vectors of 256 rows, to all other GPUs. */
static __device__ void send_part(const gathering &p, int turn, int part)
{
    const size_t wide = (size_t)p.f.p.k / VECTOR;
    const unsigned begin = (unsigned)(part * ROWS * wide);
    const unsigned end = (unsigned)(min(p.f.p.m, (part + 1) * ROWS) * wide);
    const unsigned step = gridDim.x * MOVE;
    const unsigned first = blockIdx.x * MOVE + threadIdx.x % WGMMA_GROUP - WARP;

    for (unsigned i = begin + first; i < end; i += LOADS * step) {
        uint4 v[LOADS];

#pragma unroll
        for (int l = 0; l < LOADS; l++)
            if (i + l * step < end)
                v[l] = ((const uint4 *)p.own)[i + l * step];
        for (int h = 1; h < p.f.gpus; h++) {
            uint4 *const to = (uint4 *)p.sent[turn][(p.t.rank + h) % p.f.gpus];

#pragma unroll
            for (int l = 0; l < LOADS; l++)
                if (i + l * step < end)
                    to[i + l * step] = v[l];
        }
    }
}

/* Three warps. */
static __device__ void send_rows(const gathering &p, uint32_t ticket)
{
    const int thread = threadIdx.x % WGMMA_GROUP - WARP;

    for (int part = 0; part < p.parts; part++) {
        send_part(p, (int)(ticket % TURNS), part);
        ptx_sync_some(MOVE_BARRIER, MOVE);
        if (thread < p.f.gpus && thread != p.t.rank)
            ptx_count_up(counter_of(p, thread, p.t.rank, part));
    }
}

/* The rows of A for a tile, when they have come. */
PTX_FN from_a rows_for(const gathering &p, uint32_t ticket, const spot &s)
{
    if (s.field == p.t.rank)
        return {&p.a, s.at.top};
    wait_for(counter_of(p, p.t.rank, s.field, s.at.top / ROWS),
             ticket * gridDim.x);
    ptx_fence_async_all();
    return {&p.rows[ticket % TURNS][s.field], s.at.top};
}
// ANCHOR_END: inner

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    gather(const __grid_constant__ gathering p)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    const slots r = slots_in(raw, full, empty);
    const int group = threadIdx.x / WGMMA_GROUP;
    box *const mine = box_of(p.t, p.t.rank, (int)blockIdx.x);
    const uint32_t ticket = mine->ticket + 1;

    if (threadIdx.x == 0)
        slots_init(r, PAIR * WARPS);
    cluster_sync(); /* the barriers are ready, in both blocks */
    if (group == GROUPS) {
        wgmma_give_registers<FEW>();
        if (threadIdx.x % WGMMA_GROUP == 0)
            fetch_fields(r, p.f, &p.b,
                         [&](const spot &s) { return rows_for(p, ticket, s); });
        else if (threadIdx.x % WGMMA_GROUP >= WARP)
            send_rows(p, ticket);
    } else {
        wgmma_take_registers<MANY>();
        multiply_fields(r, p.f, group, send_to_owners(r, p.c, group),
                        tell_nobody());
    }
    cluster_sync(); /* neither reaches into the other any more */
    if (threadIdx.x == 0)
        mine->ticket = ticket;
}

/* ---- the host's side ---- */

struct gatherings {
    gathering of[OVERLAP_MOST];
};

enum { COUNTERS_ALIGN = 256 };

static int parts_of(const struct kernel_case *c)
{
    return ceil_div(overlap_share(c), ROWS);
}

static size_t counters_bytes(const struct kernel_case *c)
{
    const size_t all = sizeof(uint32_t) * kernel_gpus(c) * parts_of(c);

    return (all + COUNTERS_ALIGN - 1) / COUNTERS_ALIGN * COUNTERS_ALIGN;
}

/* Where GPU `at` gets the rows of GPU `from`. */
static uint16_t *place_for(const struct kernel_case *c, void *const *buf,
                           int at, int from, int turn)
{
    const size_t each = (size_t)overlap_share(c) * kernel_num(c, "k");
    const size_t number = (size_t)(turn * kernel_gpus(c) + from);

    return behind_boxes(buf, at,
                        counters_bytes(c) + number * each * sizeof(uint16_t));
}

/* The rows of GPU h: where they come to, and their outputs. */
static const char *describe_field(const struct kernel_case *c, void *const *buf,
                                  int g, int h, gathering *s)
{
    const int n = (int)kernel_num(c, "n"), k = (int)kernel_num(c, "k");
    const int share = overlap_share(c);
    uint16_t *const outputs = (uint16_t *)kernel_of_gpu(buf, g)[OVERLAP_C];
    const char *why = tensor_map_make<uint16_t>(
        &s->c[h], outputs + (size_t)h * share * n, share, n, WGMMA_HIGH);

    for (int turn = 0; turn < TURNS && why == NULL; turn++) {
        s->sent[turn][h] = place_for(c, buf, h, g, turn);
        why = tensor_map_make<uint16_t>(
            &s->rows[turn][h], place_for(c, buf, g, h, turn), share, k, HIGH);
    }
    return why;
}

static const char *describe(const struct kernel_case *c, void *const *buf,
                            int g, int sms, gathering *s)
{
    void *const *const of = kernel_of_gpu(buf, g);
    const int n = (int)kernel_num(c, "n"), k = (int)kernel_num(c, "k");
    const char *why = tensor_map_make<uint16_t>(&s->a, of[OVERLAP_A],
                                                overlap_share(c), k, HIGH);

    s->f = fields_of(c, g, sms);
    s->t = team_of(c, buf, g);
    s->own = (const uint16_t *)of[OVERLAP_A];
    s->parts = parts_of(c);
    if (why == NULL)
        why =
            tensor_map_make<uint16_t>(&s->b, of[OVERLAP_B], n, k, WIDE / PAIR);
    for (int h = 0; h < kernel_gpus(c) && why == NULL; h++)
        why = describe_field(c, buf, g, h, s);
    return why;
}

extern "C" const char *overlap_gather_prepare(const struct kernel_case *c,
                                              const struct kernel_env *env,
                                              void *const *buf, void **state)
{
    const int sms = paired_sms(gather, env);

    if (sms == 0)
        return "its kernel cannot be loaded";
    return state_open<gatherings>(env, state, [&](int g, gathering *part) {
        return describe(c, buf, g, sms, part);
    });
}

extern "C" size_t overlap_gather_scratch(const struct kernel_case *c,
                                         const struct kernel_env *)
{
    return BOXES_BYTES + counters_bytes(c) +
           TURNS * sizeof(uint16_t) * (size_t)kernel_num(c, "m") *
               (size_t)kernel_num(c, "k");
}

extern "C" int overlap_gather(const struct kernel_case *,
                              const struct kernel_env *env, void *const *,
                              void *state)
{
    const gatherings *const s = (const gatherings *)state;

    return on_all(env, [&](int g, cudaStream_t stream) {
        const gathering p = s->of[g];

        gather<<<p.f.blocks, THREADS, LATER_SHARED, stream>>>(p);
        return (int)cudaGetLastError();
    });
}

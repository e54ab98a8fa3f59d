/*
 * overlap/inside - tiles leave for the GPU that adds them up.
 *
 * C = rows of A B^T of GPU 0 + A B^T of GPU 1 + ..., a share for each GPU.
 *
 * In overlap/sequential NVLink rests while tensor cores work, and the other way
 * round. But a product stores its tiles all the time, and the TMA stores into
 * the memory of another GPU as it does into its own. So each tile goes straight
 * to its owner, into a slot for the terms of this GPU. Stores are sent and
 * forgotten, and panels leave while the next tile is multiplied, as before.
 *
 * Each GPU begins with the rows of the next one and ends with its own, which
 * pass no link. When a block's last stores are done it raises a flag at each
 * GPU. A block that sees the flags of all blocks adds up its part of the rows.
 *
 * There are two slots for each GPU. Calls use them in turns: who begins call
 * t + 2 has seen the flags of call t + 1, which its owner raised after call t.
 * So slots need no other handshake.
 *
 * Predicts: the time of the product, and of adding up from memory, 4 % of it
 * with 4096 rows between two GPUs: 1.02 to 1.07 times overlap/sequential. Four
 * GPUs gain 1.08 to 1.18. With 512 rows all tiles of two GPUs end together, so
 * nothing is hidden: within 4 % of it.
 */
#include "kernels/overlap/fields.cuh"

enum { TURNS = 2 /* slots of a source */ };

struct sending {
    CUtensorMap a, b, slot[TURNS][OVERLAP_MOST]; /* at their owners */
    fields f;
    team t;
    sum_of sum[TURNS];
};

// ANCHOR: inner
/* All threads that multiply. Waits until all blocks of all GPUs have sent. */
PTX_FN void all_have_sent(const team &t, int gpus, uint32_t ticket)
{
    const int thread = (int)threadIdx.x, blocks = (int)gridDim.x;

    if (thread % WGMMA_GROUP == 0)
        ptx_fence_async_all(); /* behind what the TMA stored */
    ptx_sync_some(COMPUTE_BARRIER, COMPUTE);
    if (thread < gpus)
        ptx_flag_send(&box_of(t, thread, (int)blockIdx.x)->flag[t.rank],
                      ticket);
    for (int i = thread; i < gpus * blocks; i += COMPUTE)
        wait_for(&box_of(t, t.rank, i / gpus)->flag[i % gpus], ticket);
    ptx_sync_some(COMPUTE_BARRIER, COMPUTE);
}

static __device__ __forceinline__ void compute(const sending &p, const slots &r,
                                               int group, uint32_t ticket)
{
    const int turn = (int)(ticket % TURNS);

    multiply_fields(r, p.f, group, send_to_owners(r, p.slot[turn], group),
                    tell_nobody());
    all_have_sent(p.t, p.f.gpus, ticket);
    sum_all_of(p.f.gpus, p.sum[turn], blockIdx.x * COMPUTE + threadIdx.x,
               gridDim.x * COMPUTE);
}
// ANCHOR_END: inner

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    inside(const __grid_constant__ sending p)
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
            fetch_fields(r, p.f, &p.b, [&](const spot &s) {
                return from_a{&p.a, s.field * p.f.p.m + s.at.top};
            });
    } else {
        wgmma_take_registers<MANY>();
        compute(p, r, group, ticket);
    }
    cluster_sync(); /* neither reaches into the other any more */
    if (threadIdx.x == 0)
        mine->ticket = ticket;
}

/* ---- the host's side ---- */

struct sendings {
    sending of[OVERLAP_MOST];
};

/* Where GPU `at` gets the terms of GPU `from`. */
static uint16_t *slot_of(const struct kernel_case *c, void *const *buf, int at,
                         int from, int turn)
{
    const size_t each = (size_t)overlap_share(c) * kernel_num(c, "n");
    const size_t number = (size_t)(turn * kernel_gpus(c) + from);

    return behind_boxes(buf, at, number * each * sizeof(uint16_t));
}

static const char *describe(const struct kernel_case *c, void *const *buf,
                            int g, int sms, sending *s)
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
    for (int i = 0; i < TURNS * gpus && why == NULL; i++) {
        const int turn = i / gpus, h = i % gpus;

        s->sum[turn] = h == 0 ? sum_for(c, buf, g) : s->sum[turn];
        s->sum[turn].term[h] = slot_of(c, buf, g, h, turn);
        why = tensor_map_make<uint16_t>(&s->slot[turn][h],
                                        slot_of(c, buf, h, g, turn), share, n,
                                        WGMMA_HIGH);
    }
    return why;
}

extern "C" const char *overlap_inside_prepare(const struct kernel_case *c,
                                              const struct kernel_env *env,
                                              void *const *buf, void **state)
{
    const int sms = paired_sms(inside, env);

    if (sms == 0)
        return "its kernel cannot be loaded";
    return state_open<sendings>(env, state, [&](int g, sending *part) {
        return describe(c, buf, g, sms, part);
    });
}

extern "C" size_t overlap_inside_scratch(const struct kernel_case *c,
                                         const struct kernel_env *)
{
    return BOXES_BYTES + TURNS * sizeof(uint16_t) * (size_t)kernel_num(c, "m") *
                             (size_t)kernel_num(c, "n");
}

extern "C" int overlap_inside(const struct kernel_case *,
                              const struct kernel_env *env, void *const *,
                              void *state)
{
    const sendings *const s = (const sendings *)state;

    return on_all(env, [&](int g, cudaStream_t stream) {
        const sending p = s->of[g];

        inside<<<p.f.blocks, THREADS, LATER_SHARED, stream>>>(p);
        return (int)cudaGetLastError();
    });
}

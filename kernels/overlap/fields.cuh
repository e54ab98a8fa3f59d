/*
 * kernels/overlap/fields.cuh - a product in as many fields as there are GPUs:
 * rows that belong to one of them. Fields lie one below the other, each with
 * tiles of its own, so no tile belongs to two GPUs. Each GPU begins with
 * another field.
 */
#ifndef KERNELS_OVERLAP_FIELDS_CUH
#define KERNELS_OVERLAP_FIELDS_CUH

#include "kernels/overlap/whole.cuh"

enum {
    ROWS = PAIR * HIGH,             /* of a field that tiles share */
    COMPUTE = GROUPS * WGMMA_GROUP, /* threads that multiply */
    COMPUTE_BARRIER = 1 + GROUPS,   /* behind those of panels.cuh */
    MOVE_BARRIER,
    SENT_AFTER = 8, /* steps: by then stores of the tile before have ended */
};

struct fields {
    product p; /* of one field: p.m rows */
    int gpus, first;
    int blocks; /* that multiply, of the grid */
};

/* Tiles of this block: whose field, and where in it. */
struct spot {
    int field;
    place at;
};

/* Rows of A for a tile: they begin at `row` of this matrix. */
struct from_a {
    const CUtensorMap *map;
    int row;
};

static __host__ __device__ inline int fields_pairs(const fields &f)
{
    return f.gpus * pairs_of(f.p);
}

static __device__ __forceinline__ spot spot_of(const fields &f, int pair)
{
    const int each = pairs_of(f.p);

    return {(f.first + pair / each) % f.gpus, place_of(f.p, pair % each)};
}

/* fetch_pairs() for fields. a_of(spot) says where rows of A are, and may wait
 * until they are there. */
template <class A_OF>
static __device__ void fetch_fields(const slots &r, const fields &f,
                                    const CUtensorMap *b_map, A_OF a_of)
{
    const uint64_t keep = ptx_evict_normal();
    const int half = (int)cluster_rank() * WIDE / PAIR;
    int i = 0; /* slots filled, over all outputs */

    for (int pair = blockIdx.x / PAIR; pair < fields_pairs(f);
         pair += f.blocks / PAIR) {
        const spot to = spot_of(f, pair);
        const from_a from = a_of(to);

        for (int k = 0; k < f.p.k; k += DEEP, i++) {
            const int s = i % STAGES;

            cluster_wait(&r.empty[s], (i / STAGES & 1) ^ 1);
            ptx_mbar_expect(&r.full[s], A_BYTES + B_BYTES);
            ptx_tile_load(r.a + s * A_BYTES, from.map, k, from.row, &r.full[s],
                          keep);
            cluster_tile_load(r.b + s * B_BYTES + half * TENSOR_MAP_PANEL,
                              b_map, k, to.at.left + half, &r.full[s],
                              (1 << PAIR) - 1, keep);
        }
    }
}

/* The `sent` of those who tell nobody. */
struct tell_nobody {
    __device__ void operator()(int) const
    {
    }
};

/* The `send` of those whose outputs of field h go to the matrix c[h]. */
struct to_owners {
    const CUtensorMap *c;
    char *panels; /* of the warp group */
    int group;
    const CUtensorMap *to; /* of the outputs that wait */

    __device__ void take(int, const spot &at)
    {
        to = c + at.field;
    }
    __device__ void operator()(const later &l, int step, bool rest) const
    {
        later_send(l, step, rest, panels, to, group);
    }
};

static __device__ __forceinline__ to_owners send_to_owners(const slots &r,
                                                           const CUtensorMap *c,
                                                           int group)
{
    return {c, r.behind + group * PANELS * PANEL, group, c};
}

/*
 * later_all() for fields. send(outputs, step, rest) sends them as later_send()
 * does, and send.take() is told of which pair of tiles they are. sent() is
 * called with that pair some time after its last panel left.
 */
template <class SEND, class SENT>
static __device__ __forceinline__ void
multiply_fields(const slots &r, const fields &f, int group, SEND send,
                SENT sent)
{
    const int steps = ceil_div(f.p.k, DEEP);
    float sum[WIDE / 2];
    later before;
    int last = -1, i = 0; /* last: the pair of the outputs before */

    before.row = LATER_NONE;
    for (int pair = blockIdx.x / PAIR; pair < fields_pairs(f);
         pair += f.blocks / PAIR) {
        multiply(sum, r, group, steps, i, tell_both{r}, [&](int step) {
            send(before, step, false);
            if (step == SENT_AFTER && last >= 0)
                sent(last);
        });
        send(before, steps, true);
        if (steps <= SENT_AFTER && last >= 0)
            sent(last);

        const spot now = spot_of(f, pair);

        later_take(before, sum, now.at, group);
        send.take(pair, now);
        last = pair;
    }
    send(before, 0, true);
    if (threadIdx.x % WGMMA_GROUP == 0)
        ptx_bulk_wait<0>(); /* the last panels are where they belong */
    if (last >= 0)
        sent(last);
}

/* ---- the host's side ---- */

/* As many blocks as there are pairs of tiles, but no more than SMs. */
static inline int fields_blocks(const fields &f, int sms)
{
    const int most = sms / PAIR * PAIR, blocks = PAIR * fields_pairs(f);

    return blocks < most ? blocks : most < PAIR ? PAIR : most;
}

/*
 * SMs for blocks that wait for each other, so that all must run at the same
 * time: those that have a place in pairs. 0: the kernel cannot run.
 */
template <typename KERNEL>
static int paired_sms(KERNEL *kernel, const struct kernel_env *env)
{
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute cluster = {};
    int fit = 0;

    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {PAIR, 1, 1};
    config.gridDim = dim3(PAIR);
    config.blockDim = dim3(THREADS);
    config.dynamicSmemBytes = LATER_SHARED;
    config.attrs = &cluster;
    config.numAttrs = 1;
    if (on_all(env,
               [&](int, cudaStream_t) {
                   return load_large(kernel, LATER_SHARED);
               }) ||
        cudaOccupancyMaxActiveClusters(&fit, kernel, &config))
        return 0;
    return fit * PAIR < env->sms ? fit * PAIR : env->sms;
}

/* The fields of a GPU with so many SMs, which begins with field `first`. */
static inline fields fields_of(const struct kernel_case *c, int first, int sms)
{
    const int gpus = kernel_gpus(c);
    fields f = {{NULL, NULL, NULL, overlap_share(c), (int)kernel_num(c, "n"),
                 (int)kernel_num(c, "k")},
                gpus,
                first % gpus,
                0};

    f.blocks = fields_blocks(f, sms);
    return f;
}

#endif

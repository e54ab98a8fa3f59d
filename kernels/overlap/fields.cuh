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
    ROWS = PAIR * HIGH,               /* of a field that tiles share */
    COMPUTE = GROUPS * WGMMA_GROUP,   /* threads that multiply */
    COMPUTE_BARRIER = 1 + GROUPS,     /* behind those of panels.cuh */
    MOVE_BARRIER,
};

struct fields {
    product p; /* of one field: p.m rows */
    int gpus, first;
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
         pair += gridDim.x / PAIR) {
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

/* later_all() for fields: outputs of field h go to the matrix c[h]. */
static __device__ __forceinline__ void multiply_fields(const slots &r,
                                                       const fields &f,
                                                       int group,
                                                       const CUtensorMap *c)
{
    const int steps = ceil_div(f.p.k, DEEP);
    char *const panels = r.behind + group * PANELS * PANEL;
    const CUtensorMap *to = c; /* of the outputs before */
    float sum[WIDE / 2];
    later before;
    int i = 0;

    before.row = LATER_NONE;
    for (int pair = blockIdx.x / PAIR; pair < fields_pairs(f);
         pair += gridDim.x / PAIR) {
        multiply(sum, r, group, steps, i, tell_both{r}, [&](int step) {
            later_send(before, step, false, panels, to, group);
        });
        later_send(before, steps, true, panels, to, group);

        const spot now = spot_of(f, pair);

        later_take(before, sum, now.at, group);
        to = c + now.field;
    }
    later_send(before, 0, true, panels, to, group);
    if (threadIdx.x % WGMMA_GROUP == 0)
        ptx_bulk_wait<0>(); /* the last panels are where they belong */
}

/* ---- the host's side ---- */

static inline int fields_blocks(const fields &f, int sms)
{
    const int most = sms / PAIR * PAIR, blocks = PAIR * fields_pairs(f);

    return blocks < most ? blocks : most < PAIR ? PAIR : most;
}

/* The fields of GPU g, which begins with field `first`. */
static inline fields fields_of(const struct kernel_case *c, int first)
{
    const int gpus = kernel_gpus(c);

    return {{NULL, NULL, NULL, overlap_share(c), (int)kernel_num(c, "n"),
             (int)kernel_num(c, "k")},
            gpus,
            first % gpus};
}

#endif

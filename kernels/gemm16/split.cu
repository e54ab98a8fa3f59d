/*
 * gemm16/split - the last rounds are cut along k, evenly over all pairs.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * In gemm16/late 66 pairs of blocks go through 1024 pairs of tiles in 16 rounds
 * where 15.5 would do: in the last round half of the SMs stand still. Whole
 * rounds stay as they are, but for the last one and what is left over after it.
 * The steps of these tiles, in a row, are dealt out evenly. So a share is as
 * long as one to two tiles, it may begin and end within a tile, and no tile is
 * cut more than once.
 *
 *     pair         3              2              1              0
 *            |==============|==============|==============|==============|
 *     tiles  |    6    |    7    |    8    |    9    |   10    |   11    |
 *
 * Whose share begins within a tile does that piece first, leaves its sums in
 * memory as f32, and raises a flag. Whose share ends in that tile does it last,
 * and adds them. By then they have long been there: a share is longer than a
 * tile. The order of the additions depends on the shape and the number of SMs
 * alone, and so do all bits.
 *
 * A pair waits for sums of the one before it in the grid, which waits for
 * nobody until it has left them. So the kernel ends even if not all blocks are
 * resident at once.
 *
 * An SM sends 128 KB away and gets 128 KB back. I reckon with 4000 cycles,
 * once. At 8192 that saves 62 steps of 2048, 63000 cycles; at 4096 it is 8 of
 * 256, 8000 cycles.
 *
 * Predicts: 1.02 times gemm16/late at 8192, and hardly more than it at 4096.
 */
#include "kernels/gemm16/later.cuh"

enum { FOURS = WIDE / 2 / 4 /* of sums of a thread */ };

/* The sums of a warp group's piece, as its threads hold them, and the flag. */
struct left {
    float4 sum[FOURS][WGMMA_GROUP];
    uint32_t flag; /* 0 before and after each launch */
};

// ANCHOR: share
/* Some steps of a pair of tiles. */
struct piece {
    int pair, begin, end;
};

/* What a pair of blocks has still to do. */
struct share {
    int next, first; /* whole tiles: those from `next` on, below `first` */
    int at, end;     /* then these steps, counted from tile `first` on */
};

static __device__ __forceinline__ share share_of(const product &p, int steps)
{
    const int pairs = pairs_of(p), all = gridDim.x / PAIR;
    const int mine = blockIdx.x / PAIR, rank = all - 1 - mine;
    const int cut = pairs % all == 0 ? 0 : pairs % all + all; /* tiles */

    return {mine, pairs - cut, (int)((int64_t)cut * steps * rank / all),
            (int)((int64_t)cut * steps * (rank + 1) / all)};
}

/* Takes the next piece of the share; false if there is none. */
static __device__ __forceinline__ bool take(share &s, int steps, piece &w)
{
    if (s.next < s.first) {
        w = {s.next, 0, steps};
        s.next += gridDim.x / PAIR;
        return true;
    }
    const int begin = s.at % steps, end = min(steps, begin + s.end - s.at);

    w = {s.first + s.at / steps, begin, end};
    s.at += end - begin;
    return begin < end;
}
// ANCHOR_END: share

/* The thread that asks, as in fetch_pairs(): for all pieces. */
static __device__ void fetch_pieces(const slots &r, const CUtensorMap *a_map,
                                    const CUtensorMap *b_map, const product &p)
{
    const uint64_t keep = ptx_evict_normal();
    const int half = (int)cluster_rank(), steps = ceil_div(p.k, DEEP);
    share mine = share_of(p, steps);
    piece w;
    int i = 0; /* slots filled, over all outputs */

    while (take(mine, steps, w)) {
        const place at = place_of(p, w.pair);

        for (int step = w.begin; step < w.end; step++, i++) {
            const int s = i % STAGES, k = step * DEEP;

            cluster_wait(&r.empty[s], (i / STAGES & 1) ^ 1);
            ptx_mbar_expect(&r.full[s], A_BYTES + B_BYTES);
            ptx_tile_load(r.a + s * A_BYTES, a_map, k, at.top, &r.full[s],
                          keep);
            cluster_tile_load(r.b + s * B_BYTES + half * B_BYTES / PAIR, b_map,
                              k, at.left + half * WIDE / PAIR, &r.full[s],
                              (1 << PAIR) - 1, keep);
        }
    }
}

/* Leaves a warp group's sums for the one that ends the tile. */
static __device__ __forceinline__ void leave(left *to,
                                             const float (&sum)[WIDE / 2])
{
#pragma unroll
    for (int j = 0; j < FOURS; j++)
        to->sum[j][threadIdx.x % WGMMA_GROUP] = make_float4(
            sum[4 * j], sum[4 * j + 1], sum[4 * j + 2], sum[4 * j + 3]);
}

/* Adds what another warp group left, as soon as it is there. */
static __device__ __forceinline__ void add_left(left *from, int group,
                                                float (&sum)[WIDE / 2])
{
    if (threadIdx.x % WGMMA_GROUP == 0) {
        block_wait(&from->flag);
        from->flag = 0; /* for the next launch */
    }
    ptx_sync_some(1 + group, WGMMA_GROUP); /* the sums are there */
#pragma unroll
    for (int j = 0; j < FOURS; j++) {
        const float4 v = from->sum[j][threadIdx.x % WGMMA_GROUP];

        sum[4 * j] += v.x;
        sum[4 * j + 1] += v.y;
        sum[4 * j + 2] += v.z;
        sum[4 * j + 3] += v.w;
    }
}

// ANCHOR: inner
/* A warp group: its 64 rows of all pieces. */
static __device__ __forceinline__ void compute(const product &p, const slots &r,
                                               int group,
                                               const CUtensorMap *c_map,
                                               left *all)
{
    const int steps = ceil_div(p.k, DEEP);
    char *const panels = r.behind + group * PANELS * PANEL;
    left *const mine = all + blockIdx.x * GROUPS + group;
    float sum[WIDE / 2];
    bool owed = false; /* a flag for sums that were left */
    share todo = share_of(p, steps);
    later before;
    piece w;
    int i = 0;

    const auto meanwhile = [&](int step) {
        if (owed && step == 0) {
            ptx_sync_some(1 + group, WGMMA_GROUP); /* all have left theirs */
            if (threadIdx.x % WGMMA_GROUP == 0)
                block_tell(&mine->flag);
            owed = false;
        }
        later_send(before, step, false, panels, c_map, group);
    };

    before.row = LATER_NONE;
    while (take(todo, steps, w)) {
        multiply(sum, r, group, w.end - w.begin, i, tell_both{r}, meanwhile);
        later_send(before, w.end - w.begin, true, panels, c_map, group);
        before.row = LATER_NONE;
        if (w.begin > 0) { /* another pair does the beginning of the tile */
            leave(mine, sum);
            owed = true;
            continue;
        }
        if (w.end < steps)
            add_left(mine - PAIR * GROUPS, group, sum);
        later_take(before, sum, place_of(p, w.pair), group);
    }
    later_send(before, 0, true, panels, c_map, group);
    if (threadIdx.x % WGMMA_GROUP == 0)
        ptx_bulk_wait<0>(); /* the last panels are in C */
}
// ANCHOR_END: inner

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    split(struct product p, const __grid_constant__ CUtensorMap a_map,
          const __grid_constant__ CUtensorMap b_map,
          const __grid_constant__ CUtensorMap c_map, left *all)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    const slots r = slots_in(raw, full, empty);
    const int group = threadIdx.x / WGMMA_GROUP;

    if (threadIdx.x == 0)
        slots_init(r, PAIR * WARPS);
    cluster_sync(); /* the barriers are ready, in both blocks */
    if (group == GROUPS) {
        wgmma_give_registers<FEW>();
        if (threadIdx.x % WGMMA_GROUP == 0)
            fetch_pieces(r, &a_map, &b_map, p);
    } else {
        wgmma_take_registers<MANY>();
        compute(p, r, group, &c_map, all);
    }
    cluster_sync(); /* neither reaches into the other any more */
}

extern "C" size_t gemm16_split_scratch(const struct kernel_case *,
                                       const struct kernel_env *env)
{
    return (size_t)env->sms * GROUPS * sizeof(left);
}

extern "C" const char *gemm16_split_prepare(const struct kernel_case *c,
                                            const struct kernel_env *,
                                            void *const *buf, void **state)
{
    const struct product p = product_of(c, buf);

    if (cudaFuncSetAttribute(split, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             LATER_SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, WIDE / PAIR, WGMMA_HIGH, state);
}

extern "C" int gemm16_split(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *state)
{
    const struct product p = product_of(c, buf);
    const struct maps *m = (const struct maps *)state;
    const int blocks = pair_blocks(p, env->sms);

    if (m == NULL)
        return gemm16_mma(c, env, buf, NULL);
    split<<<blocks, THREADS, LATER_SHARED, (cudaStream_t)env->stream>>>(
        p, m->a, m->b, m->c, (left *)buf[3]);
    return cudaGetLastError();
}

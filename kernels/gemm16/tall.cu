/*
 * gemm16/tall - tiles of 256 x 128, the other way round.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * A warp group has 128 rows and 128 columns: two products of 64 x 128, one
 * below the other, in place of one of 64 x 256. As many sums, as many bytes
 * from the L2. But it reads 2 x (64 + 128) rows of shared memory where one read
 * 64 + 256.
 *
 * DeepGEMM's authors saw the clock rise with tiles of this form in FP8
 * (https://github.com/deepseek-ai/DeepGEMM, pull request 81). If shared memory
 * were what costs energy, it would have to fall.
 *
 * A pair of blocks now stands side by side, and shares its rows of A.
 *
 * Predicts: 1 % behind gemm16/store in cycles, and level with it under the
 * power limit.
 */
#include "kernels/gemm16/panels.cuh"

enum {
    HIGH = 256, /* outputs of a block: rows */
    WIDE = 128, /* and columns */
    DEEP = 64,  /* of k at a time: a row of a TMA tile */
    STAGES = 4, /* slots */
    PAIR = 2,   /* blocks of a cluster, side by side */
    GROUPS = 2,
    WARPS = GROUPS * WGMMA_GROUP / WARP, /* that multiply */
    BELOW = HIGH / GROUPS / WGMMA_HIGH,  /* products of a group */
    THREADS = (GROUPS + 1) * WGMMA_GROUP,
    A_BYTES = HIGH * TENSOR_MAP_PANEL, /* of a tile of A */
    B_BYTES = WIDE * TENSOR_MAP_PANEL,
    SHARED = STAGES * (A_BYTES + B_BYTES) + GROUPS * PANELS * PANEL +
             TENSOR_MAP_ALIGN,
    BAND = 8,   /* rows of tiles that are numbered together */
    FEW = 40,   /* registers of a thread that asks for tiles */
    MANY = 232, /* and of one that multiplies */
};

/* Shared memory: the slots and their barriers, and the panels of C. */
struct slots {
    char *a, *b, *c;
    uint64_t *full, *empty;
};

/* The outputs of a block at a time. */
struct place {
    int top, left;
};

/* Pairs of tiles, side by side. */
static __host__ __device__ inline int pairs_of(const product &p)
{
    return ceil_div(p.m, HIGH) * ceil_div(p.n, PAIR * WIDE);
}

/* Pairs go down the columns of a band; the last band may be lower. */
static __device__ __forceinline__ place place_of(const product &p, int pair)
{
    const int down = ceil_div(p.m, HIGH), across = ceil_div(p.n, PAIR * WIDE);
    const int first = pair / (BAND * across) * BAND;
    const int high = min(BAND, down - first), in = pair - first * across;
    const int col = in / high * PAIR + (int)cluster_rank();

    return {(first + in % high) * HIGH, col * WIDE};
}

/* The thread that asks: for the block's tiles of B, and for its half of those
 * of A, as slots come free in both blocks. */
static __device__ void fetch(slots r, const CUtensorMap *a_map,
                             const CUtensorMap *b_map, const product &p)
{
    const uint64_t keep = ptx_evict_normal();
    const int half = (int)cluster_rank();
    int i = 0; /* tiles asked for, over all outputs */

    for (int pair = blockIdx.x / PAIR; pair < pairs_of(p);
         pair += gridDim.x / PAIR) {
        const place at = place_of(p, pair);

        for (int k = 0; k < p.k; k += DEEP, i++) {
            const int s = i % STAGES;

            cluster_wait(&r.empty[s], (i / STAGES & 1) ^ 1);
            ptx_mbar_expect(&r.full[s], A_BYTES + B_BYTES);
            cluster_tile_load(r.a + s * A_BYTES + half * A_BYTES / PAIR, a_map,
                              k, at.top + half * HIGH / PAIR, &r.full[s],
                              (1 << PAIR) - 1, keep);
            ptx_tile_load(r.b + s * B_BYTES, b_map, k, at.left, &r.full[s],
                          keep);
        }
    }
}

/* A warp group: its 128 rows of the block's outputs; i counts tiles. */
static __device__ __forceinline__ void
multiply(float (&sum)[BELOW][WIDE / 2], slots r, int group, int steps, int &i)
{
    /* A lane of each warp for each block of the cluster. */
    const uint32_t other = threadIdx.x % WARP;
    const bool says = other < PAIR;

    // ANCHOR: inner
    for (int step = 0; step < steps; step++, i++) {
        const int s = i % STAGES;

        ptx_mbar_wait(&r.full[s], i / STAGES & 1);
        const char *const rows =
            r.a + s * A_BYTES + group * BELOW * WGMMA_HIGH * TENSOR_MAP_PANEL;
        const uint64_t bt = wgmma_tile(r.b + s * B_BYTES);

        wgmma_begin();
#pragma unroll
        for (int j = 0; j < DEEP / WGMMA_DEEP; j++)
#pragma unroll
            for (int h = 0; h < BELOW; h++) {
                const uint64_t at =
                    wgmma_tile(rows + h * WGMMA_HIGH * TENSOR_MAP_PANEL);

                wgmma_bf16(sum[h], wgmma_along(at, j), wgmma_along(bt, j),
                           step > 0 || j > 0);
            }
        wgmma_commit();
        wgmma_wait<1>(); /* the products of the step before are done */
        if (says && step > 0)
            cluster_arrive(&r.empty[(i - 1) % STAGES], other);
    }
    wgmma_wait<0>();
    if (says) /* the last slot of these outputs, too */
        cluster_arrive(&r.empty[(i - 1) % STAGES], other);
    // ANCHOR_END: inner
}

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    tall(struct product p, const __grid_constant__ CUtensorMap a_map,
         const __grid_constant__ CUtensorMap b_map,
         const __grid_constant__ CUtensorMap c_map)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    char *const a = raw + (-ptx_smem(raw) & (TENSOR_MAP_ALIGN - 1));
    const slots r = {a, a + STAGES * A_BYTES, a + STAGES * (A_BYTES + B_BYTES),
                     full, empty};
    const int group = threadIdx.x / WGMMA_GROUP;

    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            ptx_mbar_init(&full[s], 1);
            ptx_mbar_init(&empty[s], PAIR * WARPS);
        }
        ptx_mbar_init_fence();
    }
    cluster_sync(); /* the barriers are ready, in both blocks */
    if (group == GROUPS) {
        wgmma_give_registers<FEW>();
        if (threadIdx.x % WGMMA_GROUP == 0)
            fetch(r, &a_map, &b_map, p);
    } else {
        float sum[BELOW][WIDE / 2];
        int i = 0;

        wgmma_take_registers<MANY>();
        for (int pair = blockIdx.x / PAIR; pair < pairs_of(p);
             pair += gridDim.x / PAIR) {
            const place at = place_of(p, pair);

            multiply(sum, r, group, ceil_div(p.k, DEEP), i);
#pragma unroll
            for (int h = 0; h < BELOW; h++)
                send_sums(sum[h], r.c + group * PANELS * PANEL, &c_map, group,
                          at.top + (group * BELOW + h) * WGMMA_HIGH, at.left);
        }
        if (threadIdx.x % WGMMA_GROUP == 0)
            ptx_bulk_wait<0>();
    }
    cluster_sync(); /* neither reaches into the other any more */
}

extern "C" const char *gemm16_tall_prepare(const struct kernel_case *c,
                                           const struct kernel_env *,
                                           void *const *buf, void **state)
{
    const struct product p = product_of(c, buf);

    if (cudaFuncSetAttribute(tall, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             SHARED) != cudaSuccess)
        return "the device has too little shared memory for the ring";
    return maps_open(&p, HIGH / PAIR, WIDE, WGMMA_HIGH, state);
}

extern "C" int gemm16_tall(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *state)
{
    const struct product p = product_of(c, buf);
    const struct maps *m = (const struct maps *)state;
    const int most = env->sms / PAIR * PAIR, tiles = PAIR * pairs_of(p);
    const int blocks = tiles < most ? tiles : most;

    if (m == NULL)
        return gemm16_mma(c, env, buf, NULL);
    tall<<<blocks, THREADS, SHARED, (cudaStream_t)env->stream>>>(p, m->a, m->b,
                                                                 m->c);
    return cudaGetLastError();
}

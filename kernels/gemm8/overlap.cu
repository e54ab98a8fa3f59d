/*
 * gemm8/overlap - the next products run while the last ones are added.
 *
 * C[i][j] = scale Σ_k A[i][k] B[j][k].
 *
 * In gemm8/promote a warp group starts no product before it has added the last
 * part. It counts on the other group to keep the tensor cores at work
 * meanwhile. Here each has two sets of registers for parts: while it adds one,
 * the products of the other are under way already.
 *
 * Registers pay for that. Two parts and a sum of 64 x 128 are 192 a thread, so
 * a block has 128 x 128 outputs, half as many as before. For as many outputs it
 * asks the L2 for half as many bytes again, even with B shared by a pair.
 *
 * Predicts: 0.95 to 1.05 times gemm8/promote in cycles, and behind it under the
 * power limit. If so, two warp groups are overlap enough.
 */
#include "kernels/gemm16/panels.cuh"
#include "kernels/gemm8/product.cuh"

enum {
    SIDE = 128, /* outputs of a block in each direction */
    DEEP = 64,  /* of k at a time, in pairs: a row of a TMA tile */
    STAGES = 6, /* slots */
    PAIR = 2,   /* blocks of a cluster, one above the other */
    BAND = 8,   /* rows of pairs that are numbered together */
    GROUPS = SIDE / WGMMA_HIGH,
    WARPS = GROUPS * WGMMA_GROUP / WARP, /* that multiply */
    THREADS = (GROUPS + 1) * WGMMA_GROUP,
    BYTES = SIDE * TENSOR_MAP_PANEL, /* of a tile of A, and of B */
    SUMS = SIDE / 2,                 /* of a thread */
    SHARED = STAGES * 2 * BYTES + GROUPS * PANELS * PANEL + TENSOR_MAP_ALIGN,
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

/* Pairs of tiles, one above the other. */
static __host__ __device__ inline int pairs_of(const product &p)
{
    return ceil_div(p.m, PAIR * SIDE) * ceil_div(p.n, SIDE);
}

/* Pairs go down the columns of a band; the last band may be lower. */
static __device__ __forceinline__ place place_of(const product &p, int pair)
{
    const int down = ceil_div(p.m, PAIR * SIDE), across = ceil_div(p.n, SIDE);
    const int first = pair / (BAND * across) * BAND;
    const int high = min(BAND, down - first), in = pair - first * across;
    const int row = (first + in % high) * PAIR + (int)cluster_rank();

    return {row * SIDE, in / high * SIDE};
}

/* The thread that asks: for the block's tiles of A, and for its half of those
 * of B, as slots come free in both blocks. */
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
            ptx_mbar_expect(&r.full[s], 2 * BYTES);
            ptx_tile_load(r.a + s * BYTES, a_map, k, at.top, &r.full[s], keep);
            cluster_tile_load(r.b + s * BYTES + half * BYTES / PAIR, b_map, k,
                              at.left + half * SIDE / PAIR, &r.full[s],
                              (1 << PAIR) - 1, keep);
        }
    }
}

/* Starts the products of slot number i. */
static __device__ __forceinline__ void start(float (&part)[SUMS],
                                             const slots &r, int group, int i)
{
    const int s = i % STAGES;

    ptx_mbar_wait(&r.full[s], i / STAGES & 1);
    const uint64_t at =
        wgmma_tile(r.a + s * BYTES + group * WGMMA_HIGH * TENSOR_MAP_PANEL);
    const uint64_t bt = wgmma_tile(r.b + s * BYTES);

    wgmma_begin();
#pragma unroll
    for (int j = 0; j < STEP; j++)
        wgmma_e4m3(part, wgmma_along(at, j), wgmma_along(bt, j), j > 0);
    wgmma_commit();
}

/* Adds the part of slot number i, when at most N later ones are under way; a
 * lane of each warp tells each block of the cluster that the slot is free. */
template <int N>
static __device__ __forceinline__ void
add(float (&sum)[SUMS], float (&part)[SUMS], const slots &r, int i)
{
    const uint32_t block = threadIdx.x % WARP;

    wgmma_wait<N>();
    wgmma_landed(part);
    if (block < PAIR)
        cluster_arrive(&r.empty[i % STAGES], block);
#pragma unroll
    for (int j = 0; j < SUMS; j++)
        sum[j] += part[j];
}

/* A warp group: its 64 rows of the block's outputs; i counts slots. */
static __device__ __forceinline__ void
multiply(float (&sum)[SUMS], const slots &r, int group, int steps, int &i)
{
    float one[SUMS], other[SUMS];
    const int end = i + steps;

#pragma unroll
    for (int j = 0; j < SUMS; j++)
        sum[j] = 0;
    // ANCHOR: inner
    start(one, r, group, i);
    for (i++; i + 1 < end; i += 2) {
        start(other, r, group, i);
        add<1>(sum, one, r, i - 1);
        start(one, r, group, i + 1);
        add<1>(sum, other, r, i);
    }
    // ANCHOR_END: inner
    if (i < end) {
        start(other, r, group, i);
        add<1>(sum, one, r, i - 1);
        add<0>(sum, other, r, i);
    } else {
        add<0>(sum, one, r, i - 1);
    }
    i = end;
}

/* A warp group: the outputs of its 64 rows, pair of tiles by pair. */
static __device__ __forceinline__ void compute(const product &p, const slots &r,
                                               int group,
                                               const CUtensorMap *c_map,
                                               float scale)
{
    char *const panels = r.c + group * PANELS * PANEL;
    float sum[SUMS];
    int i = 0;

    for (int pair = blockIdx.x / PAIR; pair < pairs_of(p);
         pair += gridDim.x / PAIR) {
        const place at = place_of(p, pair);

        multiply(sum, r, group, ceil_div(p.k, DEEP), i);
        scale_all(sum, scale);
        send_sums(sum, panels, c_map, group, at.top + group * WGMMA_HIGH,
                  at.left);
    }
    if (threadIdx.x % WGMMA_GROUP == 0)
        ptx_bulk_wait<0>(); /* the last panels are in C */
}

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    overlap(struct product p, const float *scales,
            const __grid_constant__ CUtensorMap a_map,
            const __grid_constant__ CUtensorMap b_map,
            const __grid_constant__ CUtensorMap c_map)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    char *const a = raw + (-ptx_smem(raw) & (TENSOR_MAP_ALIGN - 1));
    const slots r = {a, a + STAGES * BYTES, a + 2 * STAGES * BYTES, full,
                     empty};
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
        wgmma_take_registers<MANY>();
        compute(p, r, group, &c_map, tensor_scale(scales));
    }
    cluster_sync(); /* neither reaches into the other any more */
}

extern "C" const char *gemm8_overlap_prepare(const struct kernel_case *c,
                                             const struct kernel_env *env,
                                             void *const *buf, void **state)
{
    const struct product p = pairs_product(c, buf);
    const char *why = tensor_scales_make(buf[3], env);

    if (why != NULL)
        return why;
    if (cudaFuncSetAttribute(overlap,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, SIDE, SIDE / PAIR, WGMMA_HIGH, state);
}

extern "C" int gemm8_overlap(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *state)
{
    const struct product p = pairs_product(c, buf);
    const struct maps *m = (const struct maps *)state;
    const int most = env->sms / PAIR * PAIR, all = PAIR * pairs_of(p);
    const int blocks = all < most ? all : most;

    overlap<<<blocks, THREADS, SHARED, (cudaStream_t)env->stream>>>(
        p, (const float *)buf[3], m->a, m->b, m->c);
    return cudaGetLastError();
}

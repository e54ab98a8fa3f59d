/*
 * kernels/mla/tiles.cuh - tiles for warp groups: 64 heads by 64 keys.
 *
 * A block has 64 heads of a sequence. Their sums, 64 x 512, are shared out to
 * two warp groups: each has 256 columns, 128 registers a thread.
 *
 * The TMA brings panels of 64 elements, 128 bytes a row (tensor_map.cuh): nine
 * for queries, and nine for a tile of keys. The first eight panels of a tile
 * are its values, too, four for each group.
 */
#ifndef KERNELS_MLA_TILES_CUH
#define KERNELS_MLA_TILES_CUH

#include "kernels/mla/absorbed.cuh"
#include "kernels/mla/wgmma.cuh"
#include "kernels/tensor_map.cuh"

#include <stdlib.h>

enum {
    GROUPS = 2,
    TOGETHER = GROUPS * WGMMA_GROUP, /* threads that multiply */
    ALL_MULTIPLY = 1,                /* the number of their barrier */
    WARPS = WGMMA_GROUP / WARP,      /* of a group */
    PANEL = 64,                      /* elements of a row in a panel */
    PANELS = DEEP / PANEL,
    OF_VALUES = VALUE / PANEL,
    MINE = OF_VALUES / GROUPS, /* panels whose values a group adds up */
    COLUMNS = MINE * PANEL,
    PANEL_BYTES = KEYS * TENSOR_MAP_PANEL,
    TILE = PANELS * PANEL_BYTES,
    FEW = 24,   /* registers of a thread that brings tiles */
    MANY = 240, /* and of one that multiplies: 168 each on average */
};

struct maps {
    CUtensorMap q, keys;
};

/* What is live from tile to tile: scores, weights, sums. */
struct live {
    float s[KEYS / 2], o[COLUMNS / 2];
    uint32_t p[KEYS / WGMMA_DEEP][4];
    struct online of;
};

static __device__ __forceinline__ void live_begin(live &x)
{
    x.of = online_begin();
#pragma unroll
    for (int i = 0; i < COLUMNS / 2; i++)
        x.o[i] = 0;
}

/* The same value in all lanes, and the compiler knows it: no branch on what is
 * computed from it parts them. */
static __device__ __forceinline__ int uniform(int v)
{
    return __shfl_sync(0xffffffffu, v, 0);
}

/* The group of this thread, which all lanes must ask for. */
static __device__ __forceinline__ int group_of_thread(void)
{
    return uniform(threadIdx.x / WGMMA_GROUP);
}

/* The first head of this thread's warp among the block's. */
static __device__ __forceinline__ int row_of_warp(void)
{
    return threadIdx.x / WARP % WARPS * 16;
}

/* ---- one thread asks ---- */

/* Panels `first` to `end` of a tile whose rows begin at `row`. */
static __device__ __forceinline__ void
ask_panels(char *tile, const CUtensorMap *map, int row, int first, int end,
           uint64_t *full, uint64_t policy)
{
    for (int p = first; p < end; p++)
        ptx_tile_load(tile + p * PANEL_BYTES, map, p * PANEL, row, full,
                      policy);
}

/* The queries of a block: fewer rows than a panel has, if there are few heads.
 * What the other rows hold stays in rows of scores that nobody reads. */
static __device__ __forceinline__ void ask_queries(char *to, const maps &m,
                                                   const absorbed &a,
                                                   const share &w,
                                                   uint64_t *full)
{
    ptx_mbar_expect(full, PANELS * min(a.heads, (int)HIGH) * TENSOR_MAP_PANEL);
    ask_panels(to, &m.q, w.query, 0, PANELS, full, ptx_evict_first());
}

static __device__ __forceinline__ void
ask_tile(char *to, const maps &m, int row, int panels, uint64_t *full)
{
    ptx_mbar_expect(full, panels * PANEL_BYTES);
    ask_panels(to, &m.keys, row, 0, panels, full, ptx_evict_normal());
}

/* ---- a warp group multiplies ---- */

// ANCHOR: products
/* Starts s = Q K' with panels `first` to `end`; more of it, if `more`. */
static __device__ __forceinline__ void start_scores(live &x, const char *q,
                                                    const char *k, int first,
                                                    int end, bool more)
{
    const uint64_t left = wgmma_tile(q), right = wgmma_tile(k);

#pragma unroll
    for (int p = first; p < end; p++)
#pragma unroll
        for (int step = 0; step < PANEL / WGMMA_DEEP; step++)
            wgmma_bf16(x.s, wgmma_along(left + (p * PANEL_BYTES >> 4), step),
                       wgmma_along(right + (p * PANEL_BYTES >> 4), step),
                       more || p > first || step > 0);
}

/* Starts o += P V for the group's columns of the tile. */
static __device__ __forceinline__ void
start_values(live &x, const uint32_t (&p)[KEYS / WGMMA_DEEP][4],
             const char *tile, int group)
{
    const uint64_t v =
        wgmma_values(tile + group * MINE * PANEL_BYTES, PANEL_BYTES);

#pragma unroll
    for (int step = 0; step < KEYS / WGMMA_DEEP; step++)
        wgmma_held(x.o, p[step], wgmma_values_along(v, step));
}
// ANCHOR_END: products

/* Weights as bf16, ready for the next product. */
static __device__ __forceinline__ void pack(uint32_t (&p)[KEYS / WGMMA_DEEP][4],
                                            const float (&s)[KEYS / 2])
{
#pragma unroll
    for (int step = 0; step < KEYS / WGMMA_DEEP; step++)
        weights(p[step], s, step);
    wgmma_ready(p);
}

/* Old sums are brought to a new maximum, ready for the next product. Most tiles
 * bring none to any of a warp's heads. No product may be under way. */
static __device__ __forceinline__ void bring_to(live &x, const float (&by)[2])
{
    if (__any_sync(0xffffffffu, by[0] != 1 || by[1] != 1))
        scale_rows(x.o, by);
    wgmma_ready(x.o);
}

/* Scores of a tile become weights; `left` of its keys are there. */
static __device__ __forceinline__ void soften_tile(live &x, float scale,
                                                   int left)
{
    float back[2];

    if (left < KEYS)
        hide(x.s, left, left);
    soften(x.s, scale, x.of, back);
    bring_to(x, back);
    pack(x.p, x.s);
}

/* Zeros in place of values that there are not, by `threads` of which this is
 * number `mine`; then these must meet. A weight of zero would not help against
 * NaN. */
static __device__ __forceinline__ void clear(char *tile, int left, int mine,
                                             int threads)
{
    const int chunks = TENSOR_MAP_PANEL / 16;

    for (int n = mine; n < (KEYS - left) * OF_VALUES * chunks; n += threads)
        *(uint4 *)(tile + n / chunks % OF_VALUES * PANEL_BYTES +
                   (left + n / chunks / OF_VALUES) * TENSOR_MAP_PANEL +
                   n % chunks * 16) = make_uint4(0, 0, 0, 0);
    ptx_fence_async();
}

/* The first lane of each warp says that its warp is done with something. */
static __device__ __forceinline__ void done_with(uint64_t *empty)
{
    if (threadIdx.x % WARP == 0)
        ptx_mbar_arrive(empty);
}

/* The block's outputs, if a group has all sums of its columns. */
static __device__ __forceinline__ void put_live(const absorbed &a,
                                                const share &w, const live &x)
{
    const float sum[2] = {over_four(x.of.sum[0], true),
                          over_four(x.of.sum[1], true)};

    put_heads(a, w, row_of_warp(), group_of_thread() * COLUMNS, x.o, sum);
}

/* ---- the host's part ---- */

/* Makes the tensor maps of a case, and lets a kernel use so much shared memory.
 * Its blocks ask for `high` keys at a time. Returns NULL, or why not. */
template <class KERNEL>
static inline const char *
open_for(KERNEL *kernel, int shared, const struct kernel_case *c,
         void *const *buf, void **state, int high = KEYS)
{
    const struct cache_shape s = mla_shape(c);
    const int rows = (int)(latent_elements(&s) / DEEP);
    struct maps *const m =
        (struct maps *)aligned_alloc(alignof(struct maps), sizeof *m);
    const char *why;

    if (m == NULL)
        abort();
    why = tensor_map_make<uint16_t>(&m->q, buf[MLA_Q], s.b * s.heads, DEEP,
                                    s.heads < HIGH ? s.heads : (int)HIGH);
    if (why == NULL)
        why = tensor_map_make<uint16_t>(&m->keys, buf[MLA_KEYS], rows, DEEP,
                                        high);
    if (why == NULL && cudaFuncSetAttribute(
                           kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           shared) != cudaSuccess)
        why = "the device has too little shared memory for the slots";
    if (why != NULL) {
        free(m);
        return why;
    }
    *state = m;
    return NULL;
}

#endif

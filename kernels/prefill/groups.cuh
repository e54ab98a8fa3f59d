/*
 * kernels/prefill/groups.cuh - tiles for warp groups: 128 queries of a head by
 * 128 keys.
 *
 * A block has 128 queries, of which each of two warp groups multiplies 64. Keys
 * come in tiles of 128, from the last that any of these queries sees to the
 * first. Then only the first tile to come has something to hide: with a causal
 * mask the diagonal runs through it, and the end of the prompt may.
 *
 * The TMA brings panels of 64 elements, 128 bytes a row (tensor_map.cuh).
 */
#ifndef KERNELS_PREFILL_GROUPS_CUH
#define KERNELS_PREFILL_GROUPS_CUH

#include "kernels/prefill/online.cuh"
#include "kernels/prefill/wgmma.cuh"
#include "kernels/tensor_map.cuh"

#include <stdlib.h>

enum {
    GROUPS = 2, /* warp groups that multiply */
    HIGH = GROUPS * WGMMA_HIGH,
    KEYS = 128,                          /* of a tile */
    PANEL = 64,                          /* elements of a row in a panel */
    SLOTS = 2,                           /* for keys, and as many for values */
    WARPS = GROUPS * WGMMA_GROUP / WARP, /* that multiply */
    Q_PANEL = HIGH * TENSOR_MAP_PANEL,   /* bytes */
    K_PANEL = KEYS * TENSOR_MAP_PANEL,
};

/* Barriers of the block: what has come, and what may be overwritten. */
struct barriers {
    uint64_t q, k_full[SLOTS], v_full[SLOTS], k_empty[SLOTS], v_empty[SLOTS];
};

/* Bytes of a tile of queries, and of keys or values. */
template <int D> struct bytes {
    enum {
        Q = D / PANEL * Q_PANEL,
        K = D / PANEL * K_PANEL,
        SHARED = Q + SLOTS * 2 * K + sizeof(barriers) + TENSOR_MAP_ALIGN,
    };
};

/* `warps` say that a slot is free: those of the block, or of its cluster. */
static __device__ __forceinline__ void barriers_init(barriers &b,
                                                     int warps = WARPS)
{
    ptx_mbar_init(&b.q, 1);
    for (int s = 0; s < SLOTS; s++) {
        ptx_mbar_init(&b.k_full[s], 1);
        ptx_mbar_init(&b.v_full[s], 1);
        ptx_mbar_init(&b.k_empty[s], warps);
        ptx_mbar_init(&b.v_empty[s], warps);
    }
    ptx_mbar_init_fence();
}

/* Shared memory of the block: queries, slots for keys and for values, and the
 * barriers. */
template <int D> struct room {
    char *q, *k, *v;
    barriers *b;

    __device__ room(char *raw)
    {
        q = raw + (-ptx_smem(raw) & (TENSOR_MAP_ALIGN - 1));
        k = q + bytes<D>::Q;
        v = k + SLOTS * bytes<D>::K;
        b = (barriers *)(v + SLOTS * bytes<D>::K);
    }
    __device__ char *keys(int i) const
    {
        return k + i % SLOTS * bytes<D>::K;
    }
    __device__ char *values(int i) const
    {
        return v + i % SLOTS * bytes<D>::K;
    }
};

struct maps {
    CUtensorMap q, k, v;
};

/* What a block does: queries of head h from `first` on, and so many tiles of
 * keys. Tile i to come is tile tiles - 1 - i. */
struct work {
    int first, h, tiles;
};

static __device__ __forceinline__ work work_of(const attention &a, int row,
                                               int h)
{
    const int first = row * HIGH;

    return {first, h, ceil_div(seen_by(a, first + HIGH - 1), KEYS)};
}

/* ---- one thread asks ---- */

template <int D>
static __device__ __forceinline__ void
ask_queries(const room<D> &r, const CUtensorMap *map, const work &w)
{
    const uint64_t once = ptx_evict_first();

    ptx_mbar_expect(&r.b->q, bytes<D>::Q);
#pragma unroll
    for (int p = 0; p < D / PANEL; p++)
        ptx_tile_load(r.q + p * Q_PANEL, map, w.h * D + p * PANEL, w.first,
                      &r.b->q, once);
}

/* Tile i to come of keys or values; `to` is its slot. */
template <int D>
static __device__ __forceinline__ void
ask_tile(char *to, const CUtensorMap *map, const attention &a, const work &w,
         int i, uint64_t *full)
{
    const uint64_t keep = ptx_evict_normal();

    ptx_mbar_expect(full, bytes<D>::K);
#pragma unroll
    for (int p = 0; p < D / PANEL; p++)
        ptx_tile_load(to + p * K_PANEL, map, w.h / a.group * D + p * PANEL,
                      (w.tiles - 1 - i) * KEYS, full, keep);
}

/* ---- a warp group multiplies ---- */

// ANCHOR: products
/* Starts s = Q K' for the group's 64 queries. */
template <int D>
static __device__ __forceinline__ void
start_scores(float (&s)[KEYS / 2], const char *q, const char *k)
{
    const int group = threadIdx.x / WGMMA_GROUP;

#pragma unroll
    for (int e = 0; e < D / WGMMA_DEEP; e++) {
        const int panel = e * WGMMA_DEEP / PANEL;
        const int step = e % (PANEL / WGMMA_DEEP);
        const uint64_t at = wgmma_tile(q + panel * Q_PANEL +
                                       group * WGMMA_HIGH * TENSOR_MAP_PANEL);

        wgmma_bf16(s, wgmma_along(at, step),
                   wgmma_along(wgmma_tile(k + panel * K_PANEL), step), e > 0);
    }
}

/* Starts o += P V. */
template <int D>
static __device__ __forceinline__ void
start_values(float (&o)[D / 2], const uint32_t (&p)[KEYS / WGMMA_DEEP][4],
             const char *v)
{
    const uint64_t at = wgmma_values(v, K_PANEL);

#pragma unroll
    for (int step = 0; step < KEYS / WGMMA_DEEP; step++)
        wgmma_held(o, p[step], wgmma_values_along(at, step));
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

/* Old sums are brought to the new maximum, ready for the next product. */
template <int S>
static __device__ __forceinline__ void scale_sums(float (&o)[S],
                                                  const float (&by)[2])
{
    scale_rows(o, by);
    wgmma_ready(o);
}

/* The thread's first row among the block's queries; the other is 8 below. */
static __device__ __forceinline__ int row_of_thread(void)
{
    return threadIdx.x / WARP * 16 + threadIdx.x % WARP / 4;
}

/* Hides what the thread's queries do not see of the first tile to come. */
static __device__ __forceinline__ void
hide_first(float (&s)[KEYS / 2], const attention &a, const work &w)
{
    const int row = w.first + row_of_thread(), key = (w.tiles - 1) * KEYS;

    hide(s, seen_by(a, row) - key, seen_by(a, row + 8) - key);
}

/* The first lane of each warp says that its warp is done with a slot. */
static __device__ __forceinline__ void done_with(uint64_t *empty)
{
    if (threadIdx.x % WARP == 0)
        ptx_mbar_arrive(empty);
}

static __device__ __forceinline__ bool parity(int i)
{
    return i / SLOTS & 1;
}

/* ---- the host's part ---- */

/* Makes the tensor maps of a case, whose tiles have so many keys. Returns NULL,
 * or why not. */
static inline const char *maps_open(const struct kernel_case *c,
                                    void *const *buf, void **state,
                                    int keys = KEYS)
{
    const int l = prefill_num(c, "l"), d = prefill_num(c, "d");
    const int heads = prefill_num(c, "heads"), kv = prefill_num(c, "kv");
    struct maps *const m =
        (struct maps *)aligned_alloc(alignof(struct maps), sizeof *m);
    const char *why;

    if (m == NULL)
        abort();
    why = tensor_map_make<uint16_t>(&m->q, buf[PREFILL_Q], l, heads * d, HIGH);
    if (why == NULL)
        why = tensor_map_make<uint16_t>(&m->k, buf[PREFILL_K], l, kv * d, keys);
    if (why == NULL)
        why = tensor_map_make<uint16_t>(&m->v, buf[PREFILL_V], l, kv * d, keys);
    if (why != NULL) {
        free(m);
        return why;
    }
    *state = m;
    return NULL;
}

/* Lets a kernel use so much shared memory. */
template <class KERNEL>
static inline const char *with_room(KERNEL *kernel, int bytes)
{
    return cudaFuncSetAttribute(kernel,
                                cudaFuncAttributeMaxDynamicSharedMemorySize,
                                bytes) == cudaSuccess
               ? NULL
               : "the device has too little shared memory for the slots";
}

#endif

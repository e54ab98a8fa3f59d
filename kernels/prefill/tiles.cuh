/*
 * kernels/prefill/tiles.cuh - tiles as in groups.cuh, of any size: so many warp
 * groups with 64 queries each, and so many keys.
 *
 * The descriptors of tiles are computed from numbers that are the same in all
 * lanes (uniform()). In prefill/resident the compiler does not know that, and
 * every product waits for the few instructions that make its descriptor.
 */
#ifndef KERNELS_PREFILL_TILES_CUH
#define KERNELS_PREFILL_TILES_CUH

#include "kernels/prefill/online.cuh"
#include "kernels/prefill/sums.cuh"
#include "kernels/tensor_map.cuh"

#include <stdlib.h>

enum {
    PANEL = 64, /* elements of a row in a panel */
    SLOTS = 2,  /* for keys, and as many for values */
    TURN = 1,   /* named barriers TURN and on: of each group */
    PART = WGMMA_HIGH / (WGMMA_GROUP / WARP) /* queries of a warp */
};

/* What comes, and what may be overwritten; which piece of work it is. */
struct ring {
    uint64_t q_full[2], q_empty[2];
    uint64_t k_full[SLOTS], v_full[SLOTS], k_empty[SLOTS], v_empty[SLOTS];
    int piece[2]; /* which one the queries are of */
    float scale;  /* of scores, with log2(e) in it */
    float spare;  /* for wgmma_settled() */
};

/* Of a head's elements, groups, keys of a tile, places for queries; whether a
 * group keeps its queries in registers; how many blocks share keys. */
template <int D_, int GROUPS_, int KEYS_, int PLACES_ = 1, bool KEPT_ = false,
          int BLOCKS_ = 1>
struct tiles {
    enum {
        KEPT = KEPT_,
        BLOCKS = BLOCKS_,
        D = D_,
        GROUPS = GROUPS_,
        KEYS = KEYS_,
        PLACES = PLACES_,
        HIGH = GROUPS * WGMMA_HIGH,
        WARPS = GROUPS * WGMMA_GROUP / WARP,
        THREADS = (GROUPS + 1) * WGMMA_GROUP,
        /* registers of a thread that brings tiles, and of one that multiplies
         */
        FEW = GROUPS == 3  ? 32
              : KEYS > 128 ? 24
                           : 40,
        MANY = GROUPS == 3  ? 160
               : KEYS > 128 ? 240
                            : 232,
        Q_PANEL = HIGH * TENSOR_MAP_PANEL, /* bytes */
        K_PANEL = KEYS * TENSOR_MAP_PANEL,
        Q = D / PANEL * Q_PANEL,
        K = D / PANEL * K_PANEL,
        SHARED = PLACES * Q + SLOTS * 2 * K + sizeof(ring) + TENSOR_MAP_ALIGN,
    };
};

/* Shared memory of the block. */
template <class T> struct space {
    char *q, *k, *v;
    ring *b;

    __device__ space(char *raw)
    {
        q = raw + (-ptx_smem(raw) & (TENSOR_MAP_ALIGN - 1));
        k = q + T::PLACES * T::Q;
        v = k + SLOTS * T::K;
        b = (ring *)(v + SLOTS * T::K);
    }
};

template <class T>
static __device__ __forceinline__ void ring_init(ring &b, const attention &a)
{
    b.scale = a.scale * 1.44269504f;
    for (int p = 0; p < T::PLACES; p++) {
        ptx_mbar_init(&b.q_full[p], 1);
        ptx_mbar_init(&b.q_empty[p], T::WARPS);
    }
    for (int s = 0; s < SLOTS; s++) {
        ptx_mbar_init(&b.k_full[s], 1);
        ptx_mbar_init(&b.v_full[s], 1);
        ptx_mbar_init(&b.k_empty[s], T::WARPS * T::BLOCKS);
        ptx_mbar_init(&b.v_empty[s], T::WARPS * T::BLOCKS);
    }
    ptx_mbar_init_fence();
}

struct maps {
    CUtensorMap q, k, v, o;
};

/* Queries of head h from `first` on, and so many tiles of keys. Tile i to come
 * is tile tiles - 1 - i; in the first `hidden` of them something is hidden. */
struct piece {
    int first, h, tiles, hidden;
};

template <class T>
static __device__ __forceinline__ piece piece_of(const attention &a, int row,
                                                 int h)
{
    const int first = row * T::HIGH;
    const int tiles = ceil_div(seen_by(a, first + T::HIGH - 1), T::KEYS);

    return {first, h, tiles, tiles - seen_by(a, first) / T::KEYS};
}

static __device__ __forceinline__ bool parity(int i)
{
    return i / SLOTS & 1;
}

/* ---- one thread asks ---- */

/* The queries of a piece, to their place; what the thread wrote before is seen
 * by those who wait for them. */
template <class T>
static __device__ __forceinline__ void ask_queries(const space<T> &r,
                                                   const CUtensorMap *map,
                                                   const piece &w, int place)
{
    uint64_t *const full = &r.b->q_full[place];

    const uint64_t once = ptx_evict_first();

    ptx_mbar_expect(full, T::Q);
#pragma unroll
    for (int p = 0; p < T::D / PANEL; p++)
        ptx_tile_load(r.q + place * T::Q + p * T::Q_PANEL, map,
                      w.h * T::D + p * PANEL, w.first, full, once);
}

template <class T>
static __device__ __forceinline__ void
ask_tile(char *to, const CUtensorMap *map, const attention &a, const piece &w,
         int i, uint64_t *full)
{
    const uint64_t keep = ptx_evict_normal();

    ptx_mbar_expect(full, T::K);
#pragma unroll
    for (int p = 0; p < T::D / PANEL; p++)
        ptx_tile_load(to + p * T::K_PANEL, map,
                      w.h / a.group * T::D + p * PANEL,
                      (w.tiles - 1 - i) * T::KEYS, full, keep);
}

/* All tiles of a piece as slots come free; n counts tiles of the block. */
template <class T>
static __device__ __forceinline__ void
ask_tiles(const space<T> &r, const CUtensorMap *k_map, const CUtensorMap *v_map,
          const attention &a, const piece &w, int &n)
{
    ring &b = *r.b;

    for (int i = 0; i < w.tiles; i++, n++) {
        const int s = n % SLOTS;

        ptx_mbar_wait(&b.k_empty[s], !parity(n));
        ask_tile<T>(r.k + s * T::K, k_map, a, w, i, &b.k_full[s]);
        ptx_mbar_wait(&b.v_empty[s], !parity(n));
        ask_tile<T>(r.v + s * T::K, v_map, a, w, i, &b.v_full[s]);
    }
}

/* ---- a warp group multiplies ---- */

/* What is live from tile to tile, and where the group's operands lie. */
template <class T> struct state {
    uint32_t p[T::KEYS / WGMMA_DEEP][4];
    float s[T::KEYS / 2], o[T::D / 2];
    uint32_t q[T::KEPT ? T::D / WGMMA_DEEP : 1][4];
    struct online of;
    int group;
};

/* Where the queries are while scores are multiplied: in shared memory, or in
 * registers. start() is product e of the scores; tiles begin at q and k. */
template <bool KEPT> struct queries {
    template <class T>
    static __device__ __forceinline__ void take(state<T> &, const space<T> &,
                                                int)
    {
    }
    template <class T>
    static __device__ __forceinline__ void start(state<T> &x, uint64_t q,
                                                 uint64_t k, int e)
    {
        wgmma_bf16(x.s, q, k, e > 0);
    }
};

template <> struct queries<true> {
    template <class T>
    static __device__ __forceinline__ void take(state<T> &x, const space<T> &r,
                                                int place)
    {
        const int lane = threadIdx.x % WARP, steps = PANEL / WGMMA_DEEP;
        const int row = threadIdx.x / WARP * PART + lane % PART;
        char *const at = r.q + place * T::Q + row * TENSOR_MAP_PANEL;

#pragma unroll
        for (int e = 0; e < T::D / WGMMA_DEEP; e++)
            ptx_ldmatrix(x.q[e],
                         at + e / steps * T::Q_PANEL +
                             ((e % steps * 2 + lane / PART) ^ row % 8) * 16);
    }
    template <class T>
    static __device__ __forceinline__ void start(state<T> &x, uint64_t,
                                                 uint64_t k, int e)
    {
        wgmma_kept(x.s, x.q[e], k, e > 0);
    }
};

template <class T>
static __device__ __forceinline__ void
start_scores(state<T> &x, const space<T> &r, int n, int place = 0)
{
    const uint64_t q = wgmma_tile(r.q + place * T::Q +
                                  x.group * WGMMA_HIGH * TENSOR_MAP_PANEL);
    const uint64_t k = wgmma_tile(r.k + n % SLOTS * T::K);

#pragma unroll
    for (int e = 0; e < T::D / WGMMA_DEEP; e++) {
        const int panel = e * WGMMA_DEEP / PANEL;
        const int step = e % (PANEL / WGMMA_DEEP);

        queries<T::KEPT>::start(
            x, wgmma_along(q + (panel * T::Q_PANEL >> 4), step),
            wgmma_along(k + (panel * T::K_PANEL >> 4), step), e);
    }
}

template <class T>
static __device__ __forceinline__ void start_values(state<T> &x,
                                                    const space<T> &r, int n)
{
    const uint64_t v = wgmma_values(r.v + n % SLOTS * T::K, T::K_PANEL);

#pragma unroll
    for (int step = 0; step < T::KEYS / WGMMA_DEEP; step++)
        wgmma_held(x.o, x.p[step], wgmma_values_along(v, step));
}

/* Weights as bf16, ready for the next product. */
template <class T> static __device__ __forceinline__ void pack(state<T> &x)
{
#pragma unroll
    for (int step = 0; step < T::KEYS / WGMMA_DEEP; step++)
        weights(x.p[step], x.s, step);
    wgmma_ready(x.p);
}

/* Groups start products by turns, in their order. */
template <class T> static __device__ __forceinline__ void turns_begin(int group)
{
    if (group == T::GROUPS - 1)
        ptx_arrive_some(TURN, 2 * WGMMA_GROUP);
}

template <class T> static __device__ __forceinline__ void turn_wait(int group)
{
    ptx_sync_some(TURN + group, 2 * WGMMA_GROUP);
}

template <class T> static __device__ __forceinline__ void turn_pass(int group)
{
    ptx_arrive_some(TURN + (group + 1) % T::GROUPS, 2 * WGMMA_GROUP);
}

/* The first lane of each warp says that its warp is done with a slot. */
static __device__ __forceinline__ void done_with(uint64_t *empty)
{
    if (threadIdx.x % WARP == 0)
        ptx_mbar_arrive(empty);
}

/* The same of keys or values, to all blocks that share them. */
template <class T>
static __device__ __forceinline__ void slot_free(uint64_t *empty)
{
    const uint32_t block = threadIdx.x % WARP;

    if (T::BLOCKS == 1)
        done_with(empty);
    else if (block < T::BLOCKS)
        cluster_arrive(empty, block);
}

/* Hides what the thread's queries do not see of tile i to come. */
template <class T>
static __device__ __forceinline__ void hide_of(state<T> &x, const attention &a,
                                               const piece &w, int i)
{
    const int row =
        w.first + threadIdx.x / WARP * PART + threadIdx.x % WARP / 4;
    const int key = (w.tiles - 1 - i) * T::KEYS;

    hide(x.s, seen_by(a, row) - key, seen_by(a, row + 8) - key);
}

/* ---- the host's part ---- */

/* Makes the tensor maps of a case: of queries, of keys, of values, and of
 * outputs, which leave by the queries of a warp. */
template <class T>
static inline const char *maps_open(const struct kernel_case *c,
                                    void *const *buf, void **state)
{
    const int l = prefill_num(c, "l"), d = prefill_num(c, "d");
    const int wide = prefill_num(c, "heads") * d, kv = prefill_num(c, "kv") * d;
    struct maps *const m =
        (struct maps *)aligned_alloc(alignof(struct maps), sizeof *m);
    const char *why;

    if (m == NULL)
        abort();
    why = tensor_map_make<uint16_t>(&m->q, buf[PREFILL_Q], l, wide, T::HIGH);
    if (why == NULL)
        why = tensor_map_make<uint16_t>(&m->k, buf[PREFILL_K], l, kv,
                                        T::KEYS / T::BLOCKS);
    if (why == NULL)
        why = tensor_map_make<uint16_t>(&m->v, buf[PREFILL_V], l, kv,
                                        T::KEYS / T::BLOCKS);
    if (why == NULL)
        why = tensor_map_make<uint16_t>(&m->o, buf[PREFILL_O], l, wide, PART);
    if (why != NULL) {
        free(m);
        return why;
    }
    *state = m;
    return NULL;
}

/* Lets a kernel use so much shared memory, and makes the maps of its tiles. */
template <class T, class KERNEL>
static inline const char *open_for(KERNEL *kernel, int more,
                                   const struct kernel_case *c,
                                   void *const *buf, void **state)
{
    if (cudaFuncSetAttribute(kernel,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             T::SHARED + more) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open<T>(c, buf, state);
}

#endif

/*
 * kernels/decode/ring.cuh - a warp asks the TMA for tiles of 64 keys and
 * values, 32 KB, and four warps multiply.
 *
 * A tile is two panels of keys and two of values, 64 elements wide
 * (kernels/tensor_map.cuh). A page of 16 keys fills a quarter of the rows of a
 * panel: 2 KB, which is a multiple of the 1 KB after which the swizzle begins
 * anew. So wherever pages lie in memory, a tile is the same in shared memory.
 */
#ifndef KERNELS_DECODE_RING_CUH
#define KERNELS_DECODE_RING_CUH

#include "kernels/decode/last.cuh"
#include "kernels/tensor_map.cuh"

#include <stdlib.h>

enum {
    PANEL = 64,                            /* elements of a row in a panel */
    PANEL_BYTES = SIDE * TENSOR_MAP_PANEL, /* of 64 rows */
    PANELS = 4,                            /* two of keys, two of values */
    TILE = PANELS * PANEL_BYTES,
    THREADS = BESIDE + WARP,
};

struct maps {
    CUtensorMap k, v;
};

/* SLOTS slots, their barriers, and sums of warps: behind the slots, or in their
 * place if OVER, for who needs sums only when all tiles are done with. */
template <int SLOTS, int ROWS, bool OVER = false> struct room {
    char *tile;
    warp_parts<ROWS> *sums;
    uint64_t *full, *empty;

    enum {
        SUMS = sizeof(warp_parts<ROWS>),
        BARRIERS = SLOTS * TILE + (OVER ? 0 : SUMS),
        SHARED = BARRIERS + 2 * SLOTS * sizeof(uint64_t) + TENSOR_MAP_ALIGN,
    };

    static_assert(SUMS <= SLOTS * TILE && SUMS % sizeof(uint64_t) == 0,
                  "sums fit the slots, and barriers are aligned");
    __device__ room(char *raw)
    {
        tile = raw + (-ptx_smem(raw) & (TENSOR_MAP_ALIGN - 1));
        sums = (warp_parts<ROWS> *)(tile + (OVER ? 0 : SLOTS * TILE));
        full = (uint64_t *)(tile + BARRIERS);
        empty = full + SLOTS;
        if (threadIdx.x == 0) {
            for (int s = 0; s < SLOTS; s++) {
                ptx_mbar_init(&full[s], 1);
                ptx_mbar_init(&empty[s], WARPS);
            }
            ptx_mbar_init_fence();
        }
        __syncthreads(); /* the barriers are ready */
    }
};

/* Does this warp ask for tiles? The others multiply. */
static __device__ __forceinline__ bool fetches(void)
{
    return threadIdx.x >= BESIDE;
}

// ANCHOR: ask
/*
 * The warp that asks: for tile i to come, of which the first `pages` pages of
 * HIGH rows exist. row[n] is the row of keys where page n of the tile begins.
 */
template <int HIGH, int SLOTS, int ROWS, bool OVER>
static __device__ __forceinline__ void ask(const room<SLOTS, ROWS, OVER> &r,
                                           const maps &m, int i, int pages,
                                           const int (&row)[SIDE / HIGH])
{
    const uint64_t once = ptx_evict_first();
    const int s = i % SLOTS;

    if (threadIdx.x % WARP != 0)
        return;
    ptx_mbar_wait(&r.empty[s], (i / SLOTS & 1) ^ 1);
    ptx_mbar_expect(&r.full[s], pages * (TILE * HIGH / SIDE));
#pragma unroll
    for (int n = 0; n < SIDE / HIGH; n++)
#pragma unroll
        for (int panel = 0; panel < PANELS; panel++)
            if (n < pages)
                ptx_tile_load(r.tile + s * TILE + panel * PANEL_BYTES +
                                  n * HIGH * TENSOR_MAP_PANEL,
                              panel < 2 ? &m.k : &m.v, panel % 2 * PANEL,
                              row[n], &r.full[s], once);
}
// ANCHOR_END: ask

// ANCHOR: take
/* A warp that multiplies: its 16 keys of tile i to come, of which the tile has
 * `keys` that are there. */
template <class HELD, int SLOTS, int ROWS, bool OVER>
static __device__ __forceinline__ void
take(const room<SLOTS, ROWS, OVER> &r, HELD &x, float scale, int i, int keys)
{
    const int s = i % SLOTS, first = threadIdx.x / WARP * MINE;
    const auto at = [&](int panel, int row, int e) {
        return r.tile + s * TILE + (panel + e / PANEL) * PANEL_BYTES +
               (first + row) * TENSOR_MAP_PANEL +
               ((e % PANEL / WIDTH) ^ row % 8) * 16;
    };

    ptx_mbar_wait(&r.full[s], i / SLOTS & 1);
    if (keys > first)
        multiply<ROWS>(
            x, scale, keys - first,
            [&](int row, int e) { return at(0, row, e); },
            [&](int row, int e) { return at(2, row, e); });
    __syncwarp(); /* no lane reads the slot any more */
    if (threadIdx.x % WARP == 0)
        ptx_mbar_arrive(&r.empty[s]);
}
// ANCHOR_END: take

/* ---- the host's part ---- */

/* Describes keys and values to the TMA, which fetches so many rows at once.
 * Returns NULL, or why not. */
static inline const char *maps_open(const struct kernel_case *c,
                                    void *const *buf, void **state)
{
    const struct cache_shape s = decode_shape(c);
    const int rows = (int)(cache_elements(&s) / DEEP);
    const int high = s.page && s.page < SIDE ? s.page : SIDE;
    struct maps *const m =
        (struct maps *)aligned_alloc(alignof(struct maps), sizeof *m);
    const char *why;

    if (m == NULL)
        abort();
    why = tensor_map_make<uint16_t>(&m->k, buf[DECODE_K], rows, DEEP, high);
    if (why == NULL)
        why = tensor_map_make<uint16_t>(&m->v, buf[DECODE_V], rows, DEEP, high);
    if (why != NULL) {
        free(m);
        return why;
    }
    *state = m;
    return NULL;
}

#endif

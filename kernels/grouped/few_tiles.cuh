/*
 * kernels/grouped/few_tiles.cuh - the kernel of grouped/few, for rows that lie
 * sorted by expert: grouped/few and grouped/pick.
 */
#ifndef KERNELS_GROUPED_FEW_TILES_CUH
#define KERNELS_GROUPED_FEW_TILES_CUH

#include "kernels/grouped/few.cuh"

/* Tensor maps for tokens: one for each size of tile. */
struct few_maps {
    CUtensorMap w, x[SIZES];
};

/* The thread that asks: for the slots of all tiles, as they come free. */
static __device__ void few_fetch(const slots &r, const few_maps &maps,
                                 const tiles &t, const struct experts &x)
{
    const uint64_t keep = ptx_evict_normal(), once = ptx_evict_first();
    int i = 0; /* slots filled, over all tiles */

    // ANCHOR: fetch
    for_each_tile(t, x, [&](const tile &w) {
        const int size = size_for(w.end - w.top);

        for (int k = 0; k < x.k; k += DEEP, i++) {
            const int s = i % STAGES;

            ptx_mbar_wait(&r.empty[s], (i / STAGES & 1) ^ 1);
            ptx_mbar_expect(&r.full[s],
                            W_BYTES + (8 << size) * TENSOR_MAP_PANEL);
            ptx_tile_load(r.w + s * W_BYTES, &maps.w, k, w.g * x.n + w.left,
                          &r.full[s], w.alone ? once : keep);
            ptx_tile_load(r.x + s * X_BYTES, &maps.x[size], k, w.top,
                          &r.full[s], keep);
        }
    });
    // ANCHOR_END: fetch
}

/* All threads of a block; `raw` is its shared memory. */
static __device__ __forceinline__ void
few_block(const struct experts &x, const few_maps &maps, char *raw)
{
    __shared__ uint64_t full[STAGES], empty[STAGES];
    __shared__ tiles t;
    const slots r = slots_in(raw, full, empty);

    if (threadIdx.x == 0)
        slots_init(r, 1);
    tiles_number(t, x, MOST, ceil_div(x.n, HIGH));
    __syncthreads(); /* barriers and numbers are ready */
    if (threadIdx.x == MULTIPLY)
        few_fetch(r, maps, t, x);
    else if (threadIdx.x < MULTIPLY)
        compute(r, t, x, threadIdx.x / WGMMA_GROUP);
}

/* Makes the state: tensor maps for the weights, and for x.rows rows of tokens
 * at `from`. */
static inline const char *few_open(const struct experts &x,
                                   const uint16_t *from, void **state)
{
    struct few_maps *const m =
        (struct few_maps *)aligned_alloc(alignof(struct few_maps), sizeof *m);
    const char *why;

    if (m == NULL)
        abort();
    why = tensor_map_make<uint16_t>(&m->w, x.b, x.e * x.n, x.k, HIGH);
    for (int s = 0; s < SIZES && why == NULL; s++)
        why = tensor_map_make<uint16_t>(&m->x[s], from, x.rows, x.k, 8 << s);
    if (why != NULL) {
        free(m);
        return why;
    }
    *state = m;
    return NULL;
}

#endif

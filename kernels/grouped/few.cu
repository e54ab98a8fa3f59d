/*
 * grouped/few - weights are rows of a product, and its columns are tokens.
 *
 * C[i][j] = Σ_k A[i][k] B[g][j][k], where row i belongs to expert g.
 *
 * 64 tokens choose 8 of 256 experts each: most experts are asked by somebody,
 * and by two tokens on average. A tile of 128 rows then has two that count. The
 * weights of 220 experts must come from memory all the same, 13 GB in one layer
 * of DeepSeek-V3. So this is about bytes: everything but weights should stay
 * out of their way.
 *
 * As in splitk/swap, the transposed product is as good: C^T = B A^T. A product
 * of wgmma has 64 rows, which are weights now, and 8 to 256 columns. A tile has
 * 128 outputs of an expert, and as many columns as its tokens need: 8, 16, 32,
 * 64 or 128. Which it is, each block finds out tile by tile; there is a loop
 * for each size. An expert with more rows has several tiles, side by side in
 * time, so that the L2 serves the weights again.
 *
 * Six slots hold 96 KB of weights on their way to each SM, several times what
 * DRAM needs to be busy.
 *
 * Predicts: 85 % of the memory's bandwidth on the weights of active experts
 * from 1 to 512 tokens of DeepSeek-V3, and twice the pace of grouped/scheduler
 * nowhere: its tiles waste products, but the same bytes move.
 */
#include "kernels/grouped/few.cuh"

/* Tensor maps for tokens: one for each size of tile. */
struct few_maps {
    CUtensorMap w, x[SIZES];
};

/* The thread that asks: for the slots of all tiles, as they come free. */
static __device__ void fetch(const slots &r, const few_maps &maps,
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

static __global__ void __launch_bounds__(MULTIPLY + WARP, 1)
    few(struct experts x, const __grid_constant__ few_maps maps)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    __shared__ tiles t;
    const slots r = slots_in(raw, full, empty);

    if (threadIdx.x == 0)
        slots_init(r, 1);
    tiles_number(t, x, MOST, ceil_div(x.n, HIGH));
    __syncthreads(); /* barriers and numbers are ready */
    if (threadIdx.x == MULTIPLY)
        fetch(r, maps, t, x);
    else if (threadIdx.x < MULTIPLY)
        compute(r, t, x, threadIdx.x / WGMMA_GROUP);
}

extern "C" const char *grouped_few_prepare(const struct kernel_case *c,
                                           const struct kernel_env *,
                                           void *const *buf, void **state)
{
    const struct experts x = experts_of(c, buf);
    struct few_maps *const m =
        (struct few_maps *)aligned_alloc(alignof(struct few_maps), sizeof *m);
    const char *why = experts_allow(few, SHARED);

    if (m == NULL)
        abort();
    if (why == NULL)
        why = tensor_map_make<uint16_t>(&m->w, x.b, x.e * x.n, x.k, HIGH);
    for (int s = 0; s < SIZES && why == NULL; s++)
        why = tensor_map_make<uint16_t>(&m->x[s], x.a, x.rows, x.k, 8 << s);
    if (why != NULL) {
        free(m);
        return why;
    }
    *state = m;
    return NULL;
}

extern "C" int grouped_few(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *state)
{
    few<<<env->sms, MULTIPLY + WARP, SHARED, (cudaStream_t)env->stream>>>(
        experts_of(c, buf), *(const struct few_maps *)state);
    return cudaGetLastError();
}

/*
 * splitk/atomic - several blocks do a tile, and add their sums in memory.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k]; rows of A are tokens, rows of B weights.
 *
 * The sum over k is cut into as many pieces as there are SMs for a tile
 * (split-K). So 128 SMs ask for weights where 32 did. Each block adds its sums
 * to f32 in scratch memory, with red.add: the L2 adds, and the block does not
 * wait. Then it counts itself at the tile's counter. Who counts last finds all
 * sums there, rounds them, and puts zeros back for the next launch.
 *
 * The additions come in any order. On inputs of the grid sums are exact, and
 * the bits are those of every other step. On others the last bits of a sum in
 * f32 change from call to call.
 *
 * The price: 64 x 128 sums of 4 bytes for each piece, or what of them are
 * tokens'. And the last block begins when all others have ended.
 *
 * Predicts: 1.6 times splitk/tiles for 16 tokens and 4096 outputs.
 */
#include "kernels/splitk/tile.cuh"

static __global__ void __launch_bounds__(THREADS, 2)
    atomic(struct product p, const __grid_constant__ CUtensorMap a_map,
           const __grid_constant__ CUtensorMap b_map, int splits, part *all,
           uint32_t *count)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    const slots r = slots_in(raw, full, empty);
    const piece w = piece_of(p, splits);
    const int top = top_of(p, w.tile);
    int i = 0;

    // ANCHOR: inner
    if (fetches()) {
        fetch(r, &a_map, &b_map, p, w, i);
    } else if (threadIdx.x < WGMMA_GROUP) {
        part *const to = all + w.tile;
        float sum[SUMS];

        multiply(sum, r, w, i);
#pragma unroll
        for (int j = 0; j < SUMS / 2; j++)
            if (is_token(p, top, j))
                part_add(&to->pair[j][threadIdx.x], sum[2 * j], sum[2 * j + 1]);
        if (!is_last(count + w.tile, splits))
            return;
#pragma unroll
        for (int j = 0; j < SUMS / 2; j++) {
            const float2 v = to->pair[j][threadIdx.x];

            sum[2 * j] = v.x;
            sum[2 * j + 1] = v.y;
            to->pair[j][threadIdx.x] = make_float2(0, 0); /* next launch */
        }
        put_sums(p, top, left_of(p, w.tile), sum);
    }
    // ANCHOR_END: inner
}

/* Sums of each tile, and behind them its counter. */
extern "C" size_t splitk_atomic_scratch(const struct kernel_case *c,
                                        const struct kernel_env *)
{
    void *const none[3] = {};
    const struct product p = product_of(c, none);

    return tiles_of(p) * (sizeof(part) + sizeof(uint32_t));
}

extern "C" const char *splitk_atomic_prepare(const struct kernel_case *c,
                                             const struct kernel_env *,
                                             void *const *buf, void **state)
{
    return tile_prepare(atomic, c, buf, state);
}

extern "C" int splitk_atomic(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *state)
{
    const struct product p = product_of(c, buf);
    const struct maps *m = (const struct maps *)state;
    const int splits = splits_of(p, env->sms, INT_MAX);
    part *const all = (part *)buf[3];

    if (m == NULL)
        return gemm16_mma(c, env, buf, NULL);
    atomic<<<tiles_of(p) * splits, THREADS, SHARED,
             (cudaStream_t)env->stream>>>(p, m->a, m->b, splits, all,
                                          (uint32_t *)(all + tiles_of(p)));
    return cudaGetLastError();
}

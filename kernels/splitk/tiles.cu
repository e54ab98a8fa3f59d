/*
 * splitk/tiles - a block for each tile, as in gemm16/roles.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k]; rows of A are tokens, rows of B weights.
 *
 * A tile is 64 tokens x 128 outputs. With up to 64 tokens a layer of 4096
 * outputs has 32 of them. So 32 SMs work, 100 stand still, and every block
 * walks along all of k by itself.
 *
 * Nearly all bytes are weights, each used once for all tokens. How long the
 * layer takes is a question of how fast they arrive. An SM takes in 64 bytes a
 * cycle at most, some 110 GB/s. I reckon that two thirds of that arrive, of
 * which a third are tokens again and again.
 *
 * Predicts: between 1.2 and 2.1 TB/s for 16 tokens and 4096 outputs.
 */
#include "kernels/splitk/tile.cuh"

#include <stdlib.h>

static __global__ void __launch_bounds__(THREADS, 2)
    tiles(struct product p, const __grid_constant__ CUtensorMap a_map,
          const __grid_constant__ CUtensorMap b_map)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    const slots r = slots_in(raw, full, empty);
    const piece w = {(int)blockIdx.x, 0, steps_of(p)};
    int i = 0;

    // ANCHOR: inner
    if (fetches()) {
        fetch(r, &a_map, &b_map, p, w, i);
    } else if (threadIdx.x < WGMMA_GROUP) {
        float sum[SUMS];

        multiply(sum, r, w, i);
        put_sums(p, top_of(p, w.tile), left_of(p, w.tile), sum);
    }
    // ANCHOR_END: inner
}

extern "C" const char *splitk_tiles_prepare(const struct kernel_case *c,
                                            const struct kernel_env *,
                                            void *const *buf, void **state)
{
    return tile_prepare(tiles, c, buf, state);
}

extern "C" int splitk_tiles(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *state)
{
    const struct product p = product_of(c, buf);
    const struct maps *m = (const struct maps *)state;

    if (m == NULL)
        return gemm16_mma(c, env, buf, NULL);
    tiles<<<tiles_of(p), THREADS, SHARED, (cudaStream_t)env->stream>>>(p, m->a,
                                                                       m->b);
    return cudaGetLastError();
}

/* For all steps of the family. */
extern "C" void splitk_release(void *state)
{
    free(state);
}

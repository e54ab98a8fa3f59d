/*
 * gemm16/order - tiles that run at the same time lie close together.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * In gemm16/persistent 132 tiles that run at the same time stand side by side
 * along C's rows. For 8192 x 8192 that is four rows of 32 tiles: they want 4 x
 * 128 rows of A, and all 8192 of B. In a compact field of tiles, BAND = 16
 * rows high and 8 columns wide, they want 16 x 128 and 8 x 256 rows, 4096 in
 * all. Half the bytes go through the L2 for the first time, and a tile of the
 * next field finds its rows there, too.
 *
 * So tiles are numbered down a band of 16 rows of tiles, column by column, and
 * then the next band.
 *
 * Predicts: nothing up to 4096, where A and B fit the L2; 1.03 times
 * gemm16/persistent at 8192, and a tenth less from DRAM.
 */
#include "kernels/gemm16/resident.cuh"

enum {
    BAND = 16, /* rows of tiles that are numbered together */
    SHARED = SLOTS_BYTES + TENSOR_MAP_ALIGN,
};

// ANCHOR: inner
/* Tiles go down the columns of a band. */
struct by_bands {
    __device__ place operator()(const product &p, int tile) const
    {
        const place at =
            in_bands(tile, BAND, ceil_div(p.m, HIGH), ceil_div(p.n, WIDE));

        return {at.top * HIGH, at.left * WIDE};
    }
};
// ANCHOR_END: inner

static __global__ void __launch_bounds__(THREADS, 1)
    order(struct product p, const __grid_constant__ CUtensorMap a_map,
          const __grid_constant__ CUtensorMap b_map)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES], empty[STAGES];

    go_through_tiles(p, &a_map, &b_map, slots_in(raw, full, empty), by_bands());
}

extern "C" const char *gemm16_order_prepare(const struct kernel_case *c,
                                            const struct kernel_env *,
                                            void *const *buf, void **state)
{
    const struct product p = product_of(c, buf);

    if (cudaFuncSetAttribute(order, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, WIDE, 0, state);
}

extern "C" int gemm16_order(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *state)
{
    const struct product p = product_of(c, buf);
    const struct maps *m = (const struct maps *)state;
    const int tiles = tiles_of(p);
    const int blocks = tiles < env->sms ? tiles : env->sms;

    if (m == NULL)
        return gemm16_mma(c, env, buf, NULL);
    order<<<blocks, THREADS, SHARED, (cudaStream_t)env->stream>>>(p, m->a,
                                                                  m->b);
    return cudaGetLastError();
}

/*
 * gemmtf32/wgmma - Hopper's own instruction, fed by the TMA.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * As in gemm16/wgmma, four warps start a product together, straight from shared
 * memory, and the TMA brings whole tiles. wgmma wants operands of tf32 along k,
 * which both matrices are. A row of a tile, 128 bytes, is 32 steps of k: four
 * products of 64 x 8 and 8 x 128.
 *
 * As in gemmtf32/mma a block does not load while it multiplies. Two blocks
 * share an SM, and one multiplies while the other waits.
 *
 * Predicts: 1.5 to 2.2 times gemmtf32/mma.
 */
#include "kernels/gemmtf32/product.cuh"

enum {
    SIDE = 128, /* outputs of a block in each direction */
    DEEP = 32,  /* of k at a time: a row of a TMA tile */
    GROUPS = SIDE / WGMMA_HIGH,
    THREADS = GROUPS * WGMMA_GROUP,
    BYTES = SIDE * TENSOR_MAP_PANEL, /* of a tile of A, and of B */
};

static __global__ void __launch_bounds__(THREADS)
    wgmma(struct product p, const __grid_constant__ CUtensorMap a_map,
          const __grid_constant__ CUtensorMap b_map)
{
    __shared__ __align__(TENSOR_MAP_ALIGN) char a[BYTES], b[BYTES];
    __shared__ uint64_t full;
    const int group = threadIdx.x / WGMMA_GROUP;
    const int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    const uint64_t keep = ptx_evict_normal();
    float sum[SIDE / 2];

    if (threadIdx.x == 0) {
        ptx_mbar_init(&full, 1);
        ptx_mbar_init_fence();
    }
    __syncthreads(); /* the barrier is ready */
    const uint64_t at = wgmma_tile(a + group * WGMMA_HIGH * TENSOR_MAP_PANEL);
    const uint64_t bt = wgmma_tile(b);

    // ANCHOR: inner
    for (int step = 0; step < ceil_div(p.k, DEEP); step++) {
        if (threadIdx.x == 0) {
            ptx_mbar_expect(&full, 2 * BYTES);
            ptx_tile_load(a, &a_map, step * DEEP, top, &full, keep);
            ptx_tile_load(b, &b_map, step * DEEP, left, &full, keep);
        }
        ptx_mbar_wait(&full, step & 1);
        wgmma_begin();
#pragma unroll
        for (int i = 0; i < DEEP / WGMMA_TF32_DEEP; i++)
            wgmma_tf32(sum, wgmma_along(at, i), wgmma_along(bt, i),
                       step > 0 || i > 0);
        wgmma_commit();
        wgmma_wait<0>();
        __syncthreads(); /* nobody needs the tiles any more */
    }
    // ANCHOR_END: inner
    put_sums(p, top + group * WGMMA_HIGH, left, sum);
}

extern "C" const char *gemmtf32_wgmma_prepare(const struct kernel_case *c,
                                              const struct kernel_env *,
                                              void *const *buf, void **state)
{
    const struct product p = product_of(c, buf);

    return maps_open(&p, SIDE, SIDE, 0, state);
}

extern "C" int gemmtf32_wgmma(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *state)
{
    const struct product p = product_of(c, buf);
    const struct maps *m = (const struct maps *)state;

    if (m == NULL)
        return gemmtf32_mma(c, env, buf, NULL);
    wgmma<<<dim3(ceil_div(p.n, SIDE), ceil_div(p.m, SIDE)), THREADS, 0,
            (cudaStream_t)env->stream>>>(p, m->a, m->b);
    return cudaGetLastError();
}

/* All variants that use tensor maps end here. */
extern "C" void gemmtf32_maps_release(void *state)
{
    free(state);
}

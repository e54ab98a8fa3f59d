/*
 * gemm16/ring - tiles arrive ahead of their products.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * gemm16/wgmma asks for a tile, waits for it, multiplies and begins again. Here
 * shared memory has STAGES slots with a barrier each, and the first thread asks
 * for tiles STAGES - 1 steps ahead. A slot is asked for again as soon as all
 * have done the products of its last tile.
 *
 * Predicts: 1.4 times gemm16/wgmma. What is left of the wait is the barrier of
 * each step: the thread that asks for tiles computes, too.
 */
#include "kernels/gemm16/product.cuh"

enum {
    SIDE = 128, /* outputs of a block in each direction */
    DEEP = 64,  /* of k at a time: a row of a TMA tile */
    STAGES = 3, /* slots: two blocks fit an SM */
    GROUPS = SIDE / WGMMA_HIGH,
    THREADS = GROUPS * WGMMA_GROUP,
    BYTES = SIDE * TENSOR_MAP_PANEL, /* of a tile of A, and of B */
    SHARED = STAGES * 2 * BYTES + TENSOR_MAP_ALIGN,
};

static __global__ void __launch_bounds__(THREADS, 2)
    ring(struct product p, const __grid_constant__ CUtensorMap a_map,
         const __grid_constant__ CUtensorMap b_map)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES];
    char *const a = raw + (-ptx_smem(raw) & (TENSOR_MAP_ALIGN - 1));
    char *const b = a + STAGES * BYTES;
    const int group = threadIdx.x / WGMMA_GROUP;
    const int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    const int steps = ceil_div(p.k, DEEP);
    const uint64_t keep = ptx_evict_normal();
    float sum[SIDE / 2];

    const auto ask = [&](int step) {
        const int s = step % STAGES;

        ptx_mbar_expect(&full[s], 2 * BYTES);
        ptx_tile_load(a + s * BYTES, &a_map, step * DEEP, top, &full[s], keep);
        ptx_tile_load(b + s * BYTES, &b_map, step * DEEP, left, &full[s], keep);
    };
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++)
            ptx_mbar_init(&full[s], 1);
        ptx_mbar_init_fence();
        for (int step = 0; step < STAGES - 1 && step < steps; step++)
            ask(step);
    }
    __syncthreads(); /* the barriers are ready */

    // ANCHOR: inner
    for (int step = 0; step < steps; step++) {
        const int s = step % STAGES;

        if (threadIdx.x == 0 && step + STAGES - 1 < steps)
            ask(step + STAGES - 1);
        ptx_mbar_wait(&full[s], step / STAGES & 1);
        const uint64_t at =
            wgmma_tile(a + s * BYTES + group * WGMMA_HIGH * TENSOR_MAP_PANEL);
        const uint64_t bt = wgmma_tile(b + s * BYTES);

        wgmma_begin();
#pragma unroll
        for (int i = 0; i < DEEP / WGMMA_DEEP; i++)
            wgmma_bf16(sum, wgmma_along(at, i), wgmma_along(bt, i),
                       step > 0 || i > 0);
        wgmma_commit();
        wgmma_wait<0>();
        __syncthreads(); /* the slot is free */
    }
    // ANCHOR_END: inner
    put_sums(p, top + group * WGMMA_HIGH, left, sum);
}

extern "C" const char *gemm16_ring_prepare(const struct kernel_case *c,
                                           const struct kernel_env *,
                                           void *const *buf, void **state)
{
    const struct product p = product_of(c, buf);

    if (cudaFuncSetAttribute(ring, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             SHARED) != cudaSuccess)
        return "the device has too little shared memory for the ring";
    return maps_open(&p, SIDE, SIDE, 0, state);
}

extern "C" int gemm16_ring(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *state)
{
    const struct product p = product_of(c, buf);
    const struct maps *m = (const struct maps *)state;

    if (m == NULL)
        return gemm16_mma(c, env, buf, NULL);
    ring<<<dim3(ceil_div(p.n, SIDE), ceil_div(p.m, SIDE)), THREADS, SHARED,
           (cudaStream_t)env->stream>>>(p, m->a, m->b);
    return cudaGetLastError();
}

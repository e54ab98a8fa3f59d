/*
 * gemm32/bulk - the TMA brings the tiles.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * In gemm32/stages each thread copies eight chunks a tile. For each it computes
 * two addresses and asks whether the row exists, some 10 instructions beside
 * the 64 x 32 FMAs of a tile: 4 %. The TMA brings a tile with one instruction
 * of one thread, swizzled as along.cuh wants it and with zeros beyond the
 * edges.
 *
 * A tile has come when its mbarrier says so. It is free again when all threads
 * have met at the barrier of the block, as before.
 *
 * Predicts: 1.04 times gemm32/stages.
 */
#include "kernels/gemm32/along.cuh"

enum {
    SIDE = 128,           /* outputs of a block in each direction */
    STAGES = 3,           /* tiles in shared memory; two blocks fit an SM */
    COLS = 8,             /* columns of a thread */
    WIDE = COLS * APART,  /* of a warp */
    ACROSS = SIDE / WIDE, /* warps side by side */
    THREADS = SIDE / ROWS * SIDE / COLS,
    BYTES = SIDE * TENSOR_MAP_PANEL, /* of a tile of A, and of B */
    SHARED = STAGES * 2 * BYTES + TENSOR_MAP_ALIGN,
};

static __global__ void __launch_bounds__(THREADS, 2)
    bulk(struct product p, const __grid_constant__ CUtensorMap a_map,
         const __grid_constant__ CUtensorMap b_map)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES];
    char *const a = raw + (-ptx_smem(raw) & (TENSOR_MAP_ALIGN - 1));
    char *const b = a + STAGES * BYTES;
    const int warp = threadIdx.x / WARP;
    const int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    const int steps = ceil_div(p.k, DEEP);
    const mine at = mine_of(warp / ACROSS, warp % ACROSS, WIDE);
    const uint64_t keep = ptx_evict_normal();
    float sum[ROWS][COLS] = {};

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

    // ANCHOR: steps
    for (int step = 0; step < steps; step++) {
        const int s = step % STAGES;

        if (threadIdx.x == 0 && step + STAGES - 1 < steps)
            ask(step + STAGES - 1);
        ptx_mbar_wait(&full[s], step / STAGES & 1);
        add_tile(sum, (const float *)(a + s * BYTES),
                 (const float *)(b + s * BYTES), at);
        __syncthreads(); /* the slot is free */
    }
    // ANCHOR_END: steps
    put_all(p, top, left, at, sum);
}

extern "C" const char *gemm32_bulk_prepare(const struct kernel_case *c,
                                           const struct kernel_env *,
                                           void *const *buf, void **state)
{
    const struct product p = product_of(c, buf);

    if (cudaFuncSetAttribute(bulk, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, SIDE, SIDE, state);
}

extern "C" int gemm32_bulk(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *state)
{
    const struct product p = product_of(c, buf);
    const struct maps *m = (const struct maps *)state;

    if (m == NULL)
        return gemm32_warps(c, env, buf, NULL);
    bulk<<<dim3(ceil_div(p.n, SIDE), ceil_div(p.m, SIDE)), THREADS, SHARED,
           (cudaStream_t)env->stream>>>(p, m->a, m->b);
    return cudaGetLastError();
}

/* All variants that use tensor maps end here. */
extern "C" void gemm32_maps_release(void *state)
{
    free(state);
}

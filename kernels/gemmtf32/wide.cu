/*
 * gemmtf32/wide - 128 x 256 outputs a block, and warps that only load.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * The frame of gemm16/wide, which took four steps there: a ring of slots, a
 * warp group that asks for tiles, slots handed over by mbarriers, and registers
 * for those who compute. A slot has as many bytes as there, half as many steps
 * of k, and tensor cores take as long for it, since tf32 has half the rate. So
 * nothing but the instruction is new.
 *
 * Predicts: 1.5 to 2 times gemmtf32/wgmma, 380 to 430 TFLOP/s.
 */
#include "kernels/gemmtf32/wide.cuh"

enum { SHARED = SLOTS_BYTES + TENSOR_MAP_ALIGN };

/* The thread that asks: for all tiles of the block, as slots come free. */
static __device__ void fetch(const slots &r, const CUtensorMap *a_map,
                             const CUtensorMap *b_map, int top, int left,
                             int steps)
{
    const uint64_t keep = ptx_evict_normal();

    for (int step = 0; step < steps; step++) {
        const int s = step % STAGES;

        ptx_mbar_wait(&r.empty[s], (step / STAGES & 1) ^ 1);
        ptx_mbar_expect(&r.full[s], A_BYTES + B_BYTES);
        ptx_tile_load(r.a + s * A_BYTES, a_map, step * DEEP, top, &r.full[s],
                      keep);
        ptx_tile_load(r.b + s * B_BYTES, b_map, step * DEEP, left, &r.full[s],
                      keep);
    }
}

static __global__ void __launch_bounds__(THREADS, 1)
    wide(struct product p, const __grid_constant__ CUtensorMap a_map,
         const __grid_constant__ CUtensorMap b_map)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    const slots r = slots_in(raw, full, empty);
    const int group = threadIdx.x / WGMMA_GROUP;
    const int top = blockIdx.y * HIGH, left = blockIdx.x * WIDE;
    const int steps = ceil_div(p.k, DEEP);

    if (threadIdx.x == 0)
        slots_init(r, WARPS);
    __syncthreads(); /* the barriers are ready */
    // ANCHOR: inner
    if (group == GROUPS) {
        wgmma_give_registers<FEW>();
        if (threadIdx.x % WGMMA_GROUP == 0)
            fetch(r, &a_map, &b_map, top, left, steps);
    } else {
        float sum[WIDE / 2];
        int i = 0;

        wgmma_take_registers<MANY>();
        const auto done = [&](int s) {
            if (threadIdx.x % WARP == 0)
                ptx_mbar_arrive(&r.empty[s]);
        };
        multiply(sum, r, group, steps, i, done, nothing());
        put_sums(p, top + group * WGMMA_HIGH, left, sum);
    }
    // ANCHOR_END: inner
}

extern "C" const char *gemmtf32_wide_prepare(const struct kernel_case *c,
                                             const struct kernel_env *,
                                             void *const *buf, void **state)
{
    const struct product p = product_of(c, buf);

    if (cudaFuncSetAttribute(wide, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, WIDE, 0, state);
}

extern "C" int gemmtf32_wide(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *state)
{
    const struct product p = product_of(c, buf);
    const struct maps *m = (const struct maps *)state;

    if (m == NULL)
        return gemmtf32_mma(c, env, buf, NULL);
    wide<<<dim3(ceil_div(p.n, WIDE), ceil_div(p.m, HIGH)), THREADS, SHARED,
           (cudaStream_t)env->stream>>>(p, m->a, m->b);
    return cudaGetLastError();
}

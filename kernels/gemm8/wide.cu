/*
 * gemm8/wide - gemm16/wide with another instruction.
 *
 * C[i][j] = scale Σ_k A[i][k] B[j][k].
 *
 * An element is a byte here, so a tile of 128 bytes a row holds 128 of k and
 * not 64. The copies, the swizzle, the slots and the way of sums to memory do
 * not care. wgmma takes 32 bytes of k at a time in either format, in as many
 * cycles. So a slot has the same four instructions, and each does twice the
 * multiply-adds: 8192 FLOP a cycle and SM in place of 4096.
 *
 * What does not become twice as fast is everything around: the first slots of a
 * block, and the stores of its sums. I reckon with 4000 cycles for them. At k =
 * 4096 the products of a tile took 65536; here they take 32768.
 *
 * Predicts: 1.75 times gemm16/wide at 4096, 1.85 times at 8192.
 */
#include "kernels/gemm8/wide.cuh"

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
    wide(struct product p, const float *scales,
         const __grid_constant__ CUtensorMap a_map,
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
        multiply_e4m3(sum, r, group, steps, i, done, nothing());
        scale_all(sum, tensor_scale(scales));
        put_sums(p, top + group * WGMMA_HIGH, left, sum);
    }
    // ANCHOR_END: inner
}

extern "C" size_t gemm8_scales_scratch(const struct kernel_case *,
                                       const struct kernel_env *)
{
    return 2 * sizeof(float);
}

extern "C" void gemm8_maps_release(void *state)
{
    free(state);
}

extern "C" const char *gemm8_wide_prepare(const struct kernel_case *c,
                                          const struct kernel_env *env,
                                          void *const *buf, void **state)
{
    const struct product p = pairs_product(c, buf);
    const char *why = tensor_scales_make(buf[3], env);

    if (why != NULL)
        return why;
    if (cudaFuncSetAttribute(wide, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, WIDE, 0, state);
}

extern "C" int gemm8_wide(const struct kernel_case *c,
                          const struct kernel_env *env, void *const *buf,
                          void *state)
{
    const struct product p = pairs_product(c, buf);
    const struct maps *m = (const struct maps *)state;

    wide<<<dim3(ceil_div(p.n, WIDE), ceil_div(p.m, HIGH)), THREADS, SHARED,
           (cudaStream_t)env->stream>>>(p, (const float *)buf[3], m->a, m->b);
    return cudaGetLastError();
}

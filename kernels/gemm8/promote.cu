/*
 * gemm8/promote - sums move to f32 every 128 of k.
 *
 * C[i][j] = scale Σ_k A[i][k] B[j][k].
 *
 * In FP8 the tensor cores keep 14 bits of a running sum. At k = 16384 the last
 * products are added to a sum of 16000 others, and what lies below 2^-13 of
 * that is dropped, 512 times over. So DeepSeek-V3 lets them add up 128 products
 * at most, and CUDA cores add these parts in f32 (arXiv 2412.19437, section
 * 3.3.2). Here that is one slot.
 *
 * A part and its sum are two sets of registers: 256 a thread for 64 x 256, and
 * there are 232. So a warp group takes the slot's columns in two halves, one
 * after the other, and 64 registers hold the part of either.
 *
 * It waits for the products of a half, adds 64 numbers, and only then starts
 * the other half. That is the simple way. The tensor cores need not stand
 * still: the other warp group's products, 256 cycles of them, are enough to
 * hide 64 additions and a wait. The price is elsewhere. A product of 64 x 128
 * reads 64 + 128 rows of shared memory, so per multiply-add a fifth more than
 * one of 64 x 256; and sums wait to leave until the tile is done.
 *
 * Predicts: 0.93 to 1.00 times gemm8/late in cycles at 8192; an error at k =
 * 16384 that is a quarter of gemm8/late's, and the same for every k.
 */
#include "kernels/gemm16/later.cuh"
#include "kernels/gemm8/promote.cuh"
#include "kernels/trace.cuh"

/* A warp group: the outputs of its 64 rows, pair of tiles by pair. */
static __device__ __forceinline__ void compute(const product &p, const slots &r,
                                               int group,
                                               const CUtensorMap *c_map,
                                               float scale)
{
    const int steps = ceil_div(p.k, DEEP);
    char *const panels = r.behind + group * PANELS * PANEL;
    float sum[WIDE / 2];
    int i = 0;

    TRACE_OPEN(GROUP, group, threadIdx.x % WGMMA_GROUP == 0);
    for (int pair = blockIdx.x / PAIR; pair < pairs_of(p);
         pair += gridDim.x / PAIR) {
        const place at = place_of(p, pair);

        multiply_parts(sum, r, group, steps, i, tell_both{r},
                       as_it_is() TRACE_GIVES);
        TRACE_BEGIN(STORE, pair);
        scale_all(sum, scale);
        send_sums(sum, panels, c_map, group, at.top + group * WGMMA_HIGH,
                  at.left);
        TRACE_END(STORE, pair);
    }
    if (threadIdx.x % WGMMA_GROUP == 0)
        ptx_bulk_wait<0>(); /* the last panels are in C */
    TRACE_CLOSE();
}

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    promote(struct product p, const float *scales,
            const __grid_constant__ CUtensorMap a_map,
            const __grid_constant__ CUtensorMap b_map,
            const __grid_constant__ CUtensorMap c_map)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    const slots r = slots_in(raw, full, empty);
    const int group = threadIdx.x / WGMMA_GROUP;

    if (threadIdx.x == 0)
        slots_init(r, PAIR * WARPS);
    cluster_sync(); /* the barriers are ready, in both blocks */
    if (group == GROUPS) {
        wgmma_give_registers<FEW>();
        if (threadIdx.x % WGMMA_GROUP == 0)
            fetch_pairs(r, &a_map, &b_map, p);
    } else {
        wgmma_take_registers<MANY>();
        compute(p, r, group, &c_map, tensor_scale(scales));
    }
    cluster_sync(); /* neither reaches into the other any more */
}

extern "C" const char *gemm8_promote_prepare(const struct kernel_case *c,
                                             const struct kernel_env *env,
                                             void *const *buf, void **state)
{
    const struct product p = pairs_product(c, buf);
    const char *why = tensor_scales_make(buf[3], env);

    if (why != NULL)
        return why;
    if (cudaFuncSetAttribute(promote,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             LATER_SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, WIDE / PAIR, WGMMA_HIGH, state);
}

extern "C" int gemm8_promote(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *state)
{
    const struct product p = pairs_product(c, buf);
    const struct maps *m = (const struct maps *)state;

    promote<<<pair_blocks(p, env->sms), THREADS, LATER_SHARED,
              (cudaStream_t)env->stream>>>(p, (const float *)buf[3], m->a, m->b,
                                           m->c);
    return cudaGetLastError();
}

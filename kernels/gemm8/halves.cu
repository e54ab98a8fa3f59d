/*
 * gemm8/halves - half of the sums leaves while the other half is multiplied.
 *
 * C[i][j] = scale Σ_k A[i][k] B[j][k].
 *
 * gemm8/late rounds the sums of a tile and keeps them in 64 registers until
 * they have left. With a part of 64 and sums of 128 beside them there is no
 * room for that. None is needed: while products go to the part, nobody touches
 * the sums. In the first slot of a tile the sums are those of the tile before,
 * half by half, until the half's part has come. That is the time to send them
 * away.
 *
 * Predicts: 0.97 times gemm8/turns in cycles at 8192, 0.85 times with k = 1536,
 * where a tile has 12 slots.
 */
#include "kernels/gemm16/later.cuh"
#include "kernels/gemm8/turns.cuh"

/* A warp group: the outputs of its 64 rows, pair of tiles by pair. */
static __device__ __forceinline__ void compute(const product &p, const slots &r,
                                               int group,
                                               const CUtensorMap *c_map,
                                               float scale)
{
    const int steps = ceil_div(p.k, DEEP);
    halves before = {r.behind + group * PANELS * PANEL, c_map, group,
                     LATER_NONE, 0};
    float sum[WIDE / 2];
    added take;
    int i = 0;

    turns_open(group);
    // ANCHOR: tiles
    for (int pair = blockIdx.x / PAIR; pair < pairs_of(p);
         pair += gridDim.x / PAIR) {
        multiply_in_turns(
            sum, r, group, steps, i, tell_both{r}, take,
            [&](int half) { halves_send(before, sum, half, scale); });
        const place at = place_of(p, pair);

        before.row = at.top + group * WGMMA_HIGH;
        before.col = at.left;
    }
    // ANCHOR_END: tiles
    turns_close(group);
    halves_send(before, sum, 0, scale);
    halves_send(before, sum, 1, scale);
    if (threadIdx.x % WGMMA_GROUP == 0)
        ptx_bulk_wait<0>(); /* the last panels are in C */
}

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    halves(struct product p, const float *scales,
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

extern "C" const char *gemm8_halves_prepare(const struct kernel_case *c,
                                            const struct kernel_env *env,
                                            void *const *buf, void **state)
{
    const struct product p = pairs_product(c, buf);
    const char *why = tensor_scales_make(buf[3], env);

    if (why != NULL)
        return why;
    if (cudaFuncSetAttribute(halves,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             LATER_SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return maps_open(&p, HIGH, WIDE / PAIR, WGMMA_HIGH, state);
}

extern "C" int gemm8_halves(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *state)
{
    const struct product p = pairs_product(c, buf);
    const struct maps *m = (const struct maps *)state;

    halves<<<pair_blocks(p, env->sms), THREADS, LATER_SHARED,
             (cudaStream_t)env->stream>>>(p, (const float *)buf[3], m->a, m->b,
                                          m->c);
    return cudaGetLastError();
}

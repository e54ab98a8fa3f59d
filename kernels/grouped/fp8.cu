/*
 * grouped/fp8 - the products of experts in FP8.
 *
 * C[i][j] = scale[g] Σ_k A[i][k] B[g][j][k], where row i belongs to expert g;
 * A and B in e4m3, C in bf16, and one scale for each expert.
 *
 * Nearly all of it is grouped/halves with another instruction. Whoever moves
 * bytes need not know what they are: two neighbours of e4m3 are one element
 * here, and k is half as many. So slots, pairs of blocks and tensor maps stay.
 * A slot has 128 products along k in place of 64, in as many cycles.
 *
 * With few rows weights are the limit, and they are half as many bytes. With
 * many the products take half as long. What does not shrink is C, 2 bytes an
 * output, and the way of a tile's sums: 128 multiplications a thread by the
 * scale of the expert, and as many roundings. They count double beside products
 * that take half as long.
 *
 * The sums stay in the tensor cores for all of k, and lose bits there
 * (kernels/gemm8/wgmma.cuh).
 *
 * Predicts: 1.6 to 1.9 times the throughput of grouped/halves with 512 rows for
 * each expert.
 */
#include "kernels/gemm16/product.cuh"
#include "kernels/gemm8/wgmma.cuh"

#define WIDE_PRODUCT wgmma_e4m3
#define WIDE_PRODUCT_DEEP WGMMA_DEEP /* pairs of elements */
#include "kernels/grouped/pairs.cuh"

enum { FP8_SCALES = 4 /* the buffer */ };

/* A case's arguments; k counts pairs of elements. */
static inline struct experts fp8_experts(const struct kernel_case *c,
                                         void *const *buf)
{
    struct experts x = experts_of(c, buf);

    x.k /= 2;
    return x;
}

/* A warp group: its 64 rows of all tiles. */
static __device__ __forceinline__ void
fp8_compute(const slots &r, const tiles &t, const struct experts &x,
            const float *scales, const sends &to)
{
    const int steps = ceil_div(x.k, DEEP);
    float sum[WIDE / 2];
    later before;
    int i = 0;

    before.row = LATER_NONE;
    // ANCHOR: inner
    for_each_pair(t, x, [&](const half &w) {
        const int row = w.is.top + to.group * WGMMA_HIGH;

        if (row >= w.is.end) {
            skip(r, steps, i);
            return;
        }
        multiply(sum, r, to.group, steps, i, tell_both{r},
                 [&](int step) { later_send(before, x, to, step, false); });
        later_send(before, x, to, steps, true);
        const float scale = scales[w.is.g];

#pragma unroll
        for (int j = 0; j < WIDE / 2; j++)
            sum[j] *= scale;
        later_take(before, sum, row, w.is.left, w.is.end);
    });
    // ANCHOR_END: inner
    later_end(before, x, to);
}

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    fp8(struct experts x, const float *scales, bool stores,
        const __grid_constant__ CUtensorMap a_map,
        const __grid_constant__ CUtensorMap b_map,
        const __grid_constant__ CUtensorMap c_map)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    __shared__ tiles t;
    const slots r = slots_in(raw, full, empty);

    pairs_block(x, stores, &a_map, &b_map, &c_map, r, t,
                [&](const sends &to) { fp8_compute(r, t, x, scales, to); });
}

extern "C" const char *grouped_fp8_prepare(const struct kernel_case *c,
                                           const struct kernel_env *,
                                           void *const *buf, void **state)
{
    const char *const why = experts_allow(fp8, LATER_SHARED);

    return why != NULL ? why : pairs_open(fp8_experts(c, buf), state);
}

extern "C" int grouped_fp8(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *state)
{
    const struct experts x = fp8_experts(c, buf);
    const struct expert_maps *m = (const struct expert_maps *)state;

    fp8<<<env->sms / PAIR * PAIR, THREADS, LATER_SHARED,
          (cudaStream_t)env->stream>>>(x, (const float *)buf[FP8_SCALES],
                                       later_stores(x), m->a, m->b, m->c);
    return cudaGetLastError();
}

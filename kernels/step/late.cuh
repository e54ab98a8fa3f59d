/*
 * kernels/step/late.cuh - the product with one vector, as in one.cuh, with a
 * norm that costs no barrier:
 *
 *     W (g x / rms(x)) = (W (g x)) / rms(x)
 *
 * A warp reads the whole vector anyway. So each lane adds up the squares of the
 * elements that it multiplies, and the sums get the factor at the end.
 */
#ifndef KERNELS_STEP_LATE_CUH
#define KERNELS_STEP_LATE_CUH

#include "kernels/step/result.cuh"

/* What a lane adds up: two rows times g x, and squares of x. */
struct late_sums {
    float row[2], squares;
};

// ANCHOR: eight
/* Eight elements of both rows, of x, and of the gains. */
template <bool NORM>
static __device__ __forceinline__ void
late_eight(late_sums &sum, const uint4 &first, const uint4 &second,
           const uint4 &x, const uint4 &gain)
{
#pragma unroll
    for (int i = 0; i < WIDTH; i++) {
        float by = of_eight(x, i);

        if (NORM) {
            sum.squares += by * by;
            by *= of_eight(gain, i);
        }
        sum.row[0] += of_eight(first, i) * by;
        sum.row[1] += of_eight(second, i) * by;
    }
}
// ANCHOR_END: eight

/* A warp's end: its sums in all lanes, times the norm's factor, to end(). */
template <bool NORM, class END>
static __device__ __forceinline__ void
late_end(late_sums sum, const product_rows &r, int pair, const END &end)
{
    sum.row[0] = sum_warp(sum.row[0]);
    sum.row[1] = sum_warp(sum.row[1]);
    if (NORM) {
        const float by = norm_factor(sum_warp(sum.squares), r.k, r.shrink);

        sum.row[0] *= by;
        sum.row[1] *= by;
    }
    if (threadIdx.x % WARP == 0 && pair < r.n / 2)
        end(0, pair, sum.row[0], sum.row[1]);
}

/* Each warp: the sums of its pair in all lanes, and end(0, pair, sums).
 * wait(bits) waits for the kernel before; bits come from the first and the last
 * load that is under way. */
template <bool NORM, class END, class WAIT>
static __device__ __forceinline__ void
late_pair(const product_rows &r, const END &end, const WAIT &wait)
{
    const int lane = threadIdx.x % WARP;
    const int pair = blockIdx.x * ONE_WARPS + threadIdx.x / WARP;
    const int row = min(pair, r.n / 2 - 1) * r.step;
    const uint16_t *const first = r.w + (size_t)row * r.k;
    const uint16_t *const second = first + (size_t)r.apart * r.k;
    const uint64_t once = ptx_evict_first();
    const uint4 ones = make_uint4(0, 0, 0, 0);
    late_sums sum = {};
    int at = 0;

    ptx_next_kernel_may_start();
    if (NORM && blockIdx.x == 0 && threadIdx.x == 0)
        ptx_bulk_prefetch(r.gain, r.k * 2);
    for (; at + ONE_LOADS * ONE_STEP <= r.k; at += ONE_LOADS * ONE_STEP) {
        uint4 v[2][ONE_LOADS];

#pragma unroll
        for (int j = 0; j < ONE_LOADS; j++) {
            const int i = at + j * ONE_STEP + lane * WIDTH;

            v[0][j] = eight_once(first + i, once);
            v[1][j] = eight_once(second + i, once);
        }
        asm volatile("" ::: "memory"); /* ask for all, then use the first */
        if (at == 0)                   /* x is the last kernel's output */
            wait(v[0][0].x ^ v[1][ONE_LOADS - 1].w);
#pragma unroll
        for (int j = 0; j < ONE_LOADS; j++) {
            const int i = at + j * ONE_STEP + lane * WIDTH;

            late_eight<NORM>(sum, v[0][j], v[1][j], eight(r.x + i),
                             NORM ? eight(r.gain + i) : ones);
        }
    }
    if (at == 0)
        ptx_wait_for_last_kernel(); /* no round was full */
    for (int i = at + lane * WIDTH; i < r.k; i += ONE_STEP)
        late_eight<NORM>(sum, eight_once(first + i, once),
                         eight_once(second + i, once), eight(r.x + i),
                         NORM ? eight(r.gain + i) : ones);
    late_end<NORM>(sum, r, pair, end);
}

template <bool NORM, class END>
static __global__ void __launch_bounds__(ONE_THREADS, ONE_BLOCKS)
    late_vector(const product_rows r, const END end)
{
    late_pair<NORM>(r, end, [](uint32_t) { ptx_wait_for_last_kernel(); });
}

/* What a chain (kernels/step/chain.cuh) is told of these kernels. */
struct late_ways {
    static constexpr bool OVERLAP = true, AHEAD = false, FUSED = true;
};

/* The product of one sequence. CARVEOUT: percent of the SM's memory that is
 * to be shared memory; negative: what the driver thinks. */
template <int CARVEOUT, class END>
static int late_product(const chain &x, const product_rows &r, const END &end)
{
    const dim3 grid((r.n / 2 + ONE_WARPS - 1) / ONE_WARPS);
    const auto kernel =
        r.gain ? late_vector<true, END> : late_vector<false, END>;

    if (CARVEOUT >= 0) {
        const int rc = cudaFuncSetAttribute(
            kernel, cudaFuncAttributePreferredSharedMemoryCarveout, CARVEOUT);

        if (rc)
            return rc;
    }
    return chain_launch<late_ways>(x, kernel, grid, ONE_THREADS, r, end);
}

#endif

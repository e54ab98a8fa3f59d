/*
 * grouped/late - sums leave while the next products run.
 *
 * C[i][j] = Σ_k A[i][k] B[g][j][k], where row i belongs to expert g.
 *
 * It is grouped/scheduler with the idea of gemm16/late: a warp group rounds its
 * sums and begins the next tile. In the steps that follow it sends the rounded
 * outputs, a panel of 64 x 64 a step, through shared memory by the TMA.
 *
 * A tensor map knows where C ends, not where an expert does. So the TMA stores
 * a panel only if all 64 rows are the expert's. Of the last ones each thread
 * puts its own outputs to C, row by row.
 *
 * At k = 7168 a tile takes some 115 thousand cycles, and its way to memory some
 * 3000. With k = 768 it is one in four.
 *
 * Predicts: 1.08 times grouped/scheduler or more at k = 768 and 256 rows, 1.01
 * to 1.06 times it at k = 7168 and 512 rows for each expert.
 */
#include "kernels/grouped/later.cuh"
#include "kernels/grouped/walk.cuh"

/* A warp group: its 64 rows of all tiles. */
static __device__ __forceinline__ void compute(const slots &r, const tiles &t,
                                               const struct experts &x,
                                               const sends &to)
{
    const int steps = ceil_div(x.k, DEEP);
    float sum[WIDE / 2];
    later before;
    int i = 0;

    before.row = LATER_NONE;
    // ANCHOR: inner
    for_each_tile(t, x, [&](const tile &w) {
        multiply(sum, r, to.group, steps, i, tell{r},
                 [&](int step) { later_send(before, x, to, step, false); });
        later_send(before, x, to, steps, true);
        later_take(before, sum, w.top + to.group * WGMMA_HIGH, w.left, w.end);
    });
    later_end(before, x, to);
    // ANCHOR_END: inner
}

static __global__ void __launch_bounds__(THREADS, 1)
    late(struct experts x, bool stores,
         const __grid_constant__ CUtensorMap a_map,
         const __grid_constant__ CUtensorMap b_map,
         const __grid_constant__ CUtensorMap c_map)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    __shared__ tiles t;
    const slots r = slots_in(raw, full, empty);
    const int group = threadIdx.x / WGMMA_GROUP;

    if (threadIdx.x == 0)
        slots_init(r, WARPS);
    tiles_number(t, x, HIGH, ceil_div(x.n, WIDE));
    __syncthreads(); /* barriers and numbers are ready */
    if (group == GROUPS) {
        wgmma_give_registers<FEW>();
        if (threadIdx.x % WGMMA_GROUP == 0)
            fetch_tiles(r, &a_map, &b_map, t, x);
    } else {
        wgmma_take_registers<MANY>();
        compute(
            r, t, x,
            {stores ? &c_map : NULL, r.behind + group * PANELS * PANEL, group});
    }
}

extern "C" const char *grouped_late_prepare(const struct kernel_case *c,
                                            const struct kernel_env *,
                                            void *const *buf, void **state)
{
    const struct experts x = experts_of(c, buf);
    const char *const why = experts_allow(late, LATER_SHARED);

    return why != NULL ? why
                       : experts_open(x, x.a, x.rows, HIGH, WIDE,
                                      later_stores(x) ? WGMMA_HIGH : 0, state);
}

extern "C" int grouped_late(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *state)
{
    const struct experts x = experts_of(c, buf);
    const struct expert_maps *m = (const struct expert_maps *)state;

    late<<<env->sms, THREADS, LATER_SHARED, (cudaStream_t)env->stream>>>(
        x, later_stores(x), m->a, m->b, m->c);
    return cudaGetLastError();
}

/*
 * grouped/scheduler - one grid for all experts, which finds its tiles itself.
 *
 * C[i][j] = Σ_k A[i][k] B[g][j][k], where row i belongs to expert g.
 *
 * Think of the tiles of all experts as standing in a row:
 *
 *     experts |   0   |1|         2         |   (3 has no rows)   | 4 |
 *     tiles   | 0 1 2 |3| 4 5 6 7 8 9 10 11 |                     | 12
 *     block     0 1 2  3  0 1 2 3 0 1  2  3                         0
 *
 * A resident block for each SM does every 132nd of them. Which expert a tile
 * belongs to is a question of how many tiles come before each expert, and so of
 * where groups begin. That is an array of 257 numbers: each block reads it when
 * it starts, adds it up in shared memory, and moves on from expert to expert as
 * it moves on from tile to tile. So the host need not know the routing.
 *
 * A tile is 128 rows of one expert and 256 outputs. An expert's last tile may
 * be nearly empty, and costs as much as a full one. That waste is at most 127
 * rows for each expert, not the distance to the largest.
 *
 * Tiles of the same weights have neighbouring numbers, in bands of 16 rows of
 * tiles. They run at the same time, so weights come from memory once.
 *
 * Predicts: 540 to 630 TFLOP/s with 512 rows for each expert, as gemm16/order
 * has. With 4096 tokens of Qwen3 Zipf's law costs less than 8 % of the time
 * that uniform routing takes.
 */
#include "kernels/grouped/walk.cuh"

enum { SHARED = SLOTS_BYTES + TENSOR_MAP_ALIGN };

/* A warp group: its 64 rows of all tiles. */
static __device__ __forceinline__ void
compute(const slots &r, const tiles &t, const struct experts &x, int group)
{
    const int steps = ceil_div(x.k, DEEP);
    float sum[WIDE / 2];
    int i = 0;

    // ANCHOR: inner
    for_each_tile(t, x, [&](const tile &w) {
        multiply(sum, r, group, steps, i, tell{r}, nothing());
        put_sums(product_until(x, w.end), w.top + group * WGMMA_HIGH, w.left,
                 sum);
    });
    // ANCHOR_END: inner
}

static __global__ void __launch_bounds__(THREADS, 1)
    scheduler(struct experts x, const __grid_constant__ CUtensorMap a_map,
              const __grid_constant__ CUtensorMap b_map)
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
        compute(r, t, x, group);
    }
}

extern "C" const char *grouped_scheduler_prepare(const struct kernel_case *c,
                                                 const struct kernel_env *,
                                                 void *const *buf, void **state)
{
    const struct experts x = experts_of(c, buf);
    const char *const why = experts_allow(scheduler, SHARED);

    return why != NULL ? why
                       : experts_open(x, x.a, x.rows, HIGH, WIDE, 0, state);
}

extern "C" int grouped_scheduler(const struct kernel_case *c,
                                 const struct kernel_env *env, void *const *buf,
                                 void *state)
{
    const struct experts x = experts_of(c, buf);
    const struct expert_maps *m = (const struct expert_maps *)state;

    scheduler<<<env->sms, THREADS, SHARED, (cudaStream_t)env->stream>>>(x, m->a,
                                                                        m->b);
    return cudaGetLastError();
}

/*
 * grouped/loop - a launch for each expert.
 *
 * C[i][j] = Σ_k A[i][k] B[g][j][k], where row i belongs to expert g.
 *
 * An expert's product is an ordinary one, so each gets a launch of its own,
 * with the tiles of gemm16/wide. Experts without rows get none. The host must
 * know how many rows each has. Here it knows them from the start; a layer whose
 * router runs on the GPU would have to wait for them first, and that wait is
 * not part of the time.
 *
 * One expert of few rows has 16 tiles of 4096 outputs, and the next launch
 * begins when the last of them has ended. So 116 of 132 SMs have no work. With
 * 512 rows there are 64 tiles, and half of the SMs have.
 *
 * Predicts: less than a quarter of the throughput of grouped/scheduler with 256
 * rows for each of 128 experts.
 */
#include "kernels/grouped/block.cuh"

#include <stdlib.h>

/* Rows from `first` up to p.m, with weights from row `weights` on. */
static __global__ void __launch_bounds__(THREADS, 1)
    one_expert(struct product p, int first, int weights,
               const __grid_constant__ CUtensorMap a_map,
               const __grid_constant__ CUtensorMap b_map)
{
    extern __shared__ char raw[];
    const int left = blockIdx.x * WIDE;
    const tile t = {first + (int)blockIdx.y * HIGH, left, weights + left};

    block_product(p, t, &a_map, &b_map, raw);
}

extern "C" const char *grouped_loop_prepare(const struct kernel_case *c,
                                            const struct kernel_env *,
                                            void *const *buf, void **state)
{
    const struct experts x = experts_of(c, buf);
    const char *const why = experts_allow(one_expert, SHARED);

    return why != NULL ? why
                       : experts_open(x, x.a, x.rows, HIGH, WIDE, 0, state);
}

extern "C" int grouped_loop(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *state)
{
    const struct experts x = experts_of(c, buf);
    const struct expert_maps *m = (const struct expert_maps *)state;
    const int32_t *const begin = routing_of(c)->begin;

    // ANCHOR: inner
    for (int g = 0; g < x.e; g++) {
        const int high = ceil_div(begin[g + 1] - begin[g], HIGH);
        const dim3 grid(ceil_div(x.n, WIDE), high);

        if (high > 0)
            one_expert<<<grid, THREADS, SHARED, (cudaStream_t)env->stream>>>(
                product_until(x, begin[g + 1]), begin[g], g * x.n, m->a, m->b);
    }
    // ANCHOR_END: inner
    return cudaGetLastError();
}

/* For all steps of the family. */
extern "C" void grouped_release(void *state)
{
    free(state);
}

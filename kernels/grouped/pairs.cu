/*
 * grouped/pairs - two blocks share what their tiles have in common.
 *
 * C[i][j] = Σ_k A[i][k] B[g][j][k], where row i belongs to expert g.
 *
 * A tile of 128 x 256 outputs asks the L2 for 16 KB of tokens and 32 KB of
 * weights in each step, and a step takes 1024 cycles. So an SM takes in 47
 * bytes a cycle, about as many as the L2 has for each. gemm16/cluster halved
 * the larger part: two blocks of a cluster, whose tiles stand one above the
 * other, fetch half of the rows of B each, and the TMA writes them to both
 * (multicast). That made it a quarter faster.
 *
 * But an expert may have a single row of tiles, and then the second block of
 * such a pair would multiply nothing. So pairs come in two forms. As long as an
 * expert has two rows of tiles, pairs stand one above the other and share
 * weights: 32 KB a step for each block. The last row of an odd number has its
 * pairs side by side, and these share tokens: 40 KB.
 *
 *     3 rows of tiles     +---+---+---+---+
 *                         | 0 | 1 | 2 | 3 |   pairs 0 to 3 share weights
 *                         |   |   |   |   |
 *                         +---+---+---+---+
 *                         |   4   |   5   |   pairs 4 and 5 share tokens
 *                         +-------+-------+
 *
 * Layers of these models have an even number of tiles side by side, so that no
 * block is without work.
 *
 * Predicts: 1.2 times grouped/late with 512 rows for each expert, where all
 * pairs share weights, and level with what the library does.
 */
#include "kernels/grouped/pairs.cuh"

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    pairs(struct experts x, bool stores,
          const __grid_constant__ CUtensorMap a_map,
          const __grid_constant__ CUtensorMap b_map,
          const __grid_constant__ CUtensorMap c_map)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    __shared__ tiles t;
    const slots r = slots_in(raw, full, empty);

    pairs_block(x, stores, &a_map, &b_map, &c_map, r, t,
                [&](const sends &to) { compute<false>(r, t, x, to); });
}

extern "C" const char *grouped_pairs_prepare(const struct kernel_case *c,
                                             const struct kernel_env *,
                                             void *const *buf, void **state)
{
    const char *const why = experts_allow(pairs, LATER_SHARED);

    return why != NULL ? why : pairs_open(experts_of(c, buf), state);
}

extern "C" int grouped_pairs(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *state)
{
    const struct experts x = experts_of(c, buf);
    const struct expert_maps *m = (const struct expert_maps *)state;

    pairs<<<env->sms / PAIR * PAIR, THREADS, LATER_SHARED,
            (cudaStream_t)env->stream>>>(x, later_stores(x), m->a, m->b, m->c);
    return cudaGetLastError();
}

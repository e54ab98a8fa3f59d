/*
 * epilogue/hidden - one warp group applies the activation while the other one
 * multiplies.
 *
 * C = act(A Bᵀ + bias).
 *
 * Both warp groups of a block come to the end of a tile at the same time, and
 * the tensor cores wait for both. Elsewhere each warp group has a tile of its
 * own, and half a tile lies between them ("ping-pong"). But then they share no
 * columns of B, and as many outputs need half as many bytes again from the L2.
 *
 * They need not be half a tile apart: the time of an activation is enough. The
 * ring has four slots. So group 1 stops before the last four of a tile, until
 * group 0 has started its products of all four, at twice its usual pace. Then
 * group 0 has an activation to do while group 1 catches up, and group 1 while
 * group 0 goes ahead into the next tile, whose slots come as group 1 frees
 * them. A slot is 512 cycles of products for a group alone: three of them cover
 * 1536 cycles, and the activation is 1300 for four warps, one on each
 * scheduler. In between nothing keeps them apart, and nothing breaks if they
 * are not.
 *
 * A tile of no more than four slots has no turns.
 *
 * Predicts: 1.015 times the time of epilogue/plain with k = 4096, and 1.005
 * with 14336, for either GELU.
 */
#include "kernels/epilogue/turns.cuh"

template <epilogue_act ACT>
static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    hidden(struct layer l, const __grid_constant__ CUtensorMap a_map,
           const __grid_constant__ CUtensorMap b_map,
           const __grid_constant__ CUtensorMap c_map)
{
    extern __shared__ char raw[];
    fixed &f = fixed_memory();
    const slots r = slots_in(raw, f.full, f.empty);
    const int group = threadIdx.x / WGMMA_GROUP;

    if (threadIdx.x == 0)
        slots_init(r, PAIR * WARPS);
    cluster_sync(); /* the barriers are ready, in both blocks */
    if (group == GROUPS) {
        wgmma_give_registers<FEW>();
        if (threadIdx.x % WGMMA_GROUP == 0)
            fetch_pairs(r, &a_map, &b_map, l.p);
    } else {
        wgmma_take_registers<MANY>();
        compute_in_turns<ACT>(l, r, group, f.biases[group], &c_map);
    }
    cluster_sync(); /* neither reaches into the other any more */
}

extern "C" const char *epilogue_hidden_prepare(const struct kernel_case *c,
                                               const struct kernel_env *,
                                               void *const *buf, void **state)
{
    const struct layer l = layer_of(c, buf);
    const cudaError_t failed = act_with_gelu(c, [](auto k) {
        return cudaFuncSetAttribute(hidden<decltype(k)::act>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    LATER_SHARED);
    });

    if (failed != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return layer_maps(&l.p, buf[2], epilogue_columns(c), state);
}

extern "C" int epilogue_hidden(const struct kernel_case *c,
                               const struct kernel_env *env, void *const *buf,
                               void *state)
{
    const struct layer l = layer_of(c, buf);
    const struct maps *m = (const struct maps *)state;

    return act_with_gelu(c, [&](auto k) {
        hidden<decltype(k)::act>
            <<<pair_blocks(l.p, env->sms), THREADS, LATER_SHARED,
               (cudaStream_t)env->stream>>>(l, m->a, m->b, m->c);
        return (int)cudaGetLastError();
    });
}

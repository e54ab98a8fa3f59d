/*
 * epilogue/swiglu - gates and ups side by side.
 *
 * C = silu(gate) up, where gate and up are columns of A Bᵀ + bias.
 *
 * The layer that is called gate_up has two columns for each column of C. If
 * first all gates and then all ups stand in B, they are in different tiles, and
 * meet only in memory. In runs of eight (kernels/epilogue/epilogue.h) a thread
 * has both in its sums: wgmma gives it columns 2t and 2t + 1 of each eight. So
 * eight columns of C come from sixteen of the product, with no shuffle, and the
 * thread has its pairs as stmatrix wants them.
 *
 * Else this is epilogue/hidden. C has half as many columns: half as many panels
 * to send, and half as many bytes to write.
 *
 * Predicts: no slower than epilogue/plain with n = 28672 and k = 4096, though
 * it computes more: it writes 117 MB less. 0.93 times the time of epilogue/two.
 */
#include "kernels/epilogue/turns.cuh"

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    swiglu(struct layer l, const __grid_constant__ CUtensorMap a_map,
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
        compute_in_turns<EPILOGUE_SWIGLU>(l, r, group, f.biases[group], &c_map);
    }
    cluster_sync(); /* neither reaches into the other any more */
}

extern "C" const char *epilogue_swiglu_prepare(const struct kernel_case *c,
                                               const struct kernel_env *,
                                               void *const *buf, void **state)
{
    const struct layer l = layer_of(c, buf);

    if (cudaFuncSetAttribute(swiglu,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             LATER_SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return layer_maps(&l.p, buf[2], epilogue_columns(c), state);
}

extern "C" int epilogue_swiglu(const struct kernel_case *c,
                               const struct kernel_env *env, void *const *buf,
                               void *state)
{
    const struct layer l = layer_of(c, buf);
    const struct maps *m = (const struct maps *)state;

    swiglu<<<pair_blocks(l.p, env->sms), THREADS, LATER_SHARED,
             (cudaStream_t)env->stream>>>(l, m->a, m->b, m->c);
    return cudaGetLastError();
}

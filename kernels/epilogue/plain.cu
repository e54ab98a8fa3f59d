/*
 * epilogue/plain - the product alone.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * This is gemm16/late: a block for each SM, pairs that share B, and sums that
 * are rounded at once and leave while the next products run. What an activation
 * costs is the time of the steps below over this one's.
 *
 * Predicts: level with gemm16/late.
 */
#include "kernels/epilogue/product.h"
#include "kernels/epilogue/layer.cuh"

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    plain(struct product p, const __grid_constant__ CUtensorMap a_map,
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
        later_all(p, r, group, &c_map);
    }
    cluster_sync(); /* neither reaches into the other any more */
}

extern "C" size_t epilogue_product_scratch(const struct kernel_case *c,
                                           const struct kernel_env *)
{
    return (size_t)kernel_num(c, "m") * (size_t)kernel_num(c, "n") * 2;
}

extern "C" const char *epilogue_product_prepare(const struct kernel_case *c,
                                                void *const *buf, void *to,
                                                void **state)
{
    const struct layer l = layer_of(c, buf);

    if (cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             LATER_SHARED) != cudaSuccess)
        return "the device has too little shared memory for the slots";
    return layer_maps(&l.p, to, l.p.n, state);
}

extern "C" const char *epilogue_plain_prepare(const struct kernel_case *c,
                                              const struct kernel_env *,
                                              void *const *buf, void **state)
{
    return epilogue_product_prepare(c, buf, buf[2], state);
}

/* Writes where the tensor map of C says. */
extern "C" int epilogue_plain(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *state)
{
    const struct layer l = layer_of(c, buf);
    const struct maps *m = (const struct maps *)state;

    plain<<<pair_blocks(l.p, env->sms), THREADS, LATER_SHARED,
            (cudaStream_t)env->stream>>>(l.p, m->a, m->b, m->c);
    return cudaGetLastError();
}

extern "C" void epilogue_maps_release(void *state)
{
    free(state);
}

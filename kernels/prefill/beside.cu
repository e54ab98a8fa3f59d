/*
 * prefill/beside - powers run beside the product, as prefill/overlap meant.
 *
 * O = softmax(scale Q K') V.
 *
 * The source of prefill/overlap says: wait for the scores, make weights, wait
 * for the sums. Its machine code does not. ptxas moved the second wait up, as
 * it had nothing to do with weights, behind the maximum of one row. So nearly
 * all powers came after the product that they should run beside.
 *
 * Here the assembler has a reason to leave the order as it is: a store between
 * weights and the wait, which needs the sums of weights and never happens
 * (wgmma_settled). Descriptors come from numbers of which the compiler knows
 * that they are the same in all lanes.
 *
 * Predicts: 1.03 to 1.12 times prefill/order at 8192 causal.
 */
#include "kernels/prefill/beside.cuh"

template <int D>
static __global__ void __launch_bounds__(tiles<D, 2, 128>::THREADS, 1)
    beside_own(struct attention a, const __grid_constant__ CUtensorMap q_map,
               const __grid_constant__ CUtensorMap k_map,
               const __grid_constant__ CUtensorMap v_map)
{
    extern __shared__ char raw[];
    typedef tiles<D, 2, 128> T;

    one_piece<T, beside>(a,
                         piece_of<T>(a, gridDim.y - 1 - blockIdx.y, blockIdx.x),
                         raw, &q_map, &k_map, &v_map);
}

typedef tiles<64, 2, 128> narrow;
typedef tiles<128, 2, 128> wide;

extern "C" const char *prefill_beside_prepare(const struct kernel_case *c,
                                              const struct kernel_env *,
                                              void *const *buf, void **state)
{
    return prefill_num(c, "d") == 64
               ? open_for<narrow>(beside_own<64>, 0, c, buf, state)
               : open_for<wide>(beside_own<128>, 0, c, buf, state);
}

extern "C" int prefill_beside(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *state)
{
    const struct attention a = attention_of(c, buf);
    const struct maps *const m = (const struct maps *)state;
    const dim3 grid(a.heads, ceil_div(a.l, wide::HIGH));
    const cudaStream_t to = (cudaStream_t)env->stream;

    if (prefill_num(c, "d") == 64)
        beside_own<64><<<grid, narrow::THREADS, narrow::SHARED, to>>>(
            a, m->q, m->k, m->v);
    else
        beside_own<128>
            <<<grid, wide::THREADS, wide::SHARED, to>>>(a, m->q, m->k, m->v);
    return cudaGetLastError();
}

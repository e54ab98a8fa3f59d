/*
 * prefill/lazy - old sums are scaled only when they must.
 *
 * O = softmax(scale Q K') V.
 *
 * Whenever a tile has a larger score than all before, the sums so far are
 * brought to the new maximum. That is exact with any number in place of the
 * maximum: it leaves the quotient of both sums. The maximum only keeps powers
 * in range. So here it stays until a score is more than 2^8 times what it
 * stands for (FlashAttention-4 has this). Weights are then 2^8 at most, and
 * bf16 rounds them by the same share as before; sums of 2^15 such weights have
 * room in f32.
 *
 * Multiplying the sums is a branch for the whole warp. It is taken for the
 * first tiles of a row and rarely afterwards, which saves 64 of some 400
 * instructions of a tile, on the way between two products. The branch also
 * keeps powers in front of the wait, as the store of prefill/beside does.
 *
 * Predicts: 1.00 to 1.05 times prefill/beside at 8192 causal.
 */
#include "kernels/prefill/lazy.cuh"

template <int D>
static __global__ void __launch_bounds__(tiles<D, 2, 128>::THREADS, 1)
    lazy_own(struct attention a, const __grid_constant__ CUtensorMap q_map,
             const __grid_constant__ CUtensorMap k_map,
             const __grid_constant__ CUtensorMap v_map)
{
    extern __shared__ char raw[];
    typedef tiles<D, 2, 128> T;

    one_piece<T, lazy>(a,
                       piece_of<T>(a, gridDim.y - 1 - blockIdx.y, blockIdx.x),
                       raw, &q_map, &k_map, &v_map);
}

typedef tiles<64, 2, 128> narrow;
typedef tiles<128, 2, 128> wide;

extern "C" const char *prefill_lazy_prepare(const struct kernel_case *c,
                                            const struct kernel_env *,
                                            void *const *buf, void **state)
{
    return prefill_num(c, "d") == 64
               ? open_for<narrow>(lazy_own<64>, 0, c, buf, state)
               : open_for<wide>(lazy_own<128>, 0, c, buf, state);
}

extern "C" int prefill_lazy(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *state)
{
    const struct attention a = attention_of(c, buf);
    const struct maps *const m = (const struct maps *)state;
    const dim3 grid(a.heads, ceil_div(a.l, wide::HIGH));
    const cudaStream_t to = (cudaStream_t)env->stream;

    if (prefill_num(c, "d") == 64)
        lazy_own<64><<<grid, narrow::THREADS, narrow::SHARED, to>>>(a, m->q,
                                                                    m->k, m->v);
    else
        lazy_own<128>
            <<<grid, wide::THREADS, wide::SHARED, to>>>(a, m->q, m->k, m->v);
    return cudaGetLastError();
}

/*
 * prefill/order - the longest rows of tiles first.
 *
 * O = softmax(scale Q K') V.
 *
 * With a causal mask a block at the end of the prompt has 64 tiles of keys at l
 * = 8192, and one at its beginning has a single one. Blocks start in the order
 * of their numbers, so in prefill/overlap the longest start last. When they
 * run, most SMs have nothing left to do. An SM has about 500 tiles in all at
 * that length, so this costs up to 64 of 564.
 *
 * Here blocks go from the end of the prompt to its beginning. That is the rule
 * of longest processing time first (Graham, SIAM J. Appl. Math. 17(2), 1969):
 * what is left at the end is short.
 *
 * Predicts: 1.03 to 1.10 times prefill/overlap with a causal mask, more for
 * short prompts.
 */
#include "kernels/prefill/overlap.cuh"

template <int D>
static __global__ void __launch_bounds__(THREADS, 1)
    order(struct attention a, const __grid_constant__ CUtensorMap q_map,
          const __grid_constant__ CUtensorMap k_map,
          const __grid_constant__ CUtensorMap v_map)
{
    extern __shared__ char raw[];
    const work w = work_of(a, gridDim.y - 1 - blockIdx.y, blockIdx.x);

    const auto multiply = [&](const room<D> &r) {
        int n = 0;

        turns_begin();
        attend(a, w, r, n, done_with, [] {});
    };

    go<D>(a, w, &q_map, &k_map, &v_map, raw, multiply);
}

extern "C" const char *prefill_order_prepare(const struct kernel_case *c,
                                             const struct kernel_env *,
                                             void *const *buf, void **state)
{
    const char *const why = prefill_num(c, "d") == 64
                                ? with_room(order<64>, bytes<64>::SHARED)
                                : with_room(order<128>, bytes<128>::SHARED);

    return why ? why : maps_open(c, buf, state);
}

extern "C" int prefill_order(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *state)
{
    const struct attention a = attention_of(c, buf);
    const struct maps *const m = (const struct maps *)state;
    const dim3 grid(a.heads, ceil_div(a.l, HIGH));
    const cudaStream_t to = (cudaStream_t)env->stream;

    if (prefill_num(c, "d") == 64)
        order<64>
            <<<grid, THREADS, bytes<64>::SHARED, to>>>(a, m->q, m->k, m->v);
    else
        order<128>
            <<<grid, THREADS, bytes<128>::SHARED, to>>>(a, m->q, m->k, m->v);
    return cudaGetLastError();
}

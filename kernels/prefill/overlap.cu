/*
 * prefill/overlap - a group's softmax overlaps its own product, too.
 *
 * O = softmax(scale Q K') V.
 *
 * In prefill/turns a group waits for both products of its turn. But its softmax
 * needs the scores alone, and they were started first. So it waits for one of
 * the two, and makes weights while the tensor cores do its product with the
 * values. Only then it waits for that, scales the sums, and packs the weights
 * (FlashAttention-3, arXiv 2407.08608, section 3.2).
 *
 * A turn is over 512 cycles earlier for the group that took it. It has 1536
 * cycles for its softmax until its next turn, where it had 1024.
 *
 * Predicts: 1.05 times prefill/turns; 550 to 680 TFLOP/s, full.
 */
#include "kernels/prefill/overlap.cuh"
#include "kernels/trace.cuh"

template <int D>
static __global__ void __launch_bounds__(THREADS, 1)
    overlap(struct attention a, const __grid_constant__ CUtensorMap q_map,
            const __grid_constant__ CUtensorMap k_map,
            const __grid_constant__ CUtensorMap v_map)
{
    extern __shared__ char raw[];
    const work w = work_of(a, blockIdx.y, blockIdx.x);

    const auto multiply = [&](const room<D> &r) {
        int n = 0;

        turns_begin();
        attend(a, w, r, n, done_with, [] {});
    };

    go<D>(a, w, &q_map, &k_map, &v_map, raw, multiply);
}

extern "C" const char *prefill_overlap_prepare(const struct kernel_case *c,
                                               const struct kernel_env *,
                                               void *const *buf, void **state)
{
    const char *const why = prefill_num(c, "d") == 64
                                ? with_room(overlap<64>, bytes<64>::SHARED)
                                : with_room(overlap<128>, bytes<128>::SHARED);

    return why ? why : maps_open(c, buf, state);
}

extern "C" int prefill_overlap(const struct kernel_case *c,
                               const struct kernel_env *env, void *const *buf,
                               void *state)
{
    const struct attention a = attention_of(c, buf);
    const struct maps *const m = (const struct maps *)state;
    const dim3 grid(a.heads, ceil_div(a.l, HIGH));
    const cudaStream_t to = (cudaStream_t)env->stream;

    if (prefill_num(c, "d") == 64)
        overlap<64>
            <<<grid, THREADS, bytes<64>::SHARED, to>>>(a, m->q, m->k, m->v);
    else
        overlap<128>
            <<<grid, THREADS, bytes<128>::SHARED, to>>>(a, m->q, m->k, m->v);
    return cudaGetLastError();
}

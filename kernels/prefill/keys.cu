/*
 * prefill/keys - 176 keys in a tile.
 *
 * O = softmax(scale Q K') V.
 *
 * A turn costs the same whatever its length: two barriers, a wait for scores, a
 * maximum over four lanes, the start of a product. With 176 keys instead of 128
 * there are 8 turns where there were 11. This is FlashAttention-3's tile
 * without a mask. Scores, weights and sums take 196 registers of the 240, and
 * slots 176 KB; with 64 elements a head, 192 keys fit.
 *
 * With a causal mask the diagonal runs through two tiles, so more of what is
 * multiplied is hidden.
 *
 * Predicts: 0.99 to 1.06 times prefill/drawn at 8192 without a mask; slower
 * with one.
 */
#include "kernels/prefill/drawn.cuh"

template <int D>
static __global__ void
__launch_bounds__(tiles<D, 2, D == 64 ? 192 : 176>::THREADS, 1)
    keys(struct attention a, const __grid_constant__ CUtensorMap q_map,
         const __grid_constant__ CUtensorMap k_map,
         const __grid_constant__ CUtensorMap v_map, struct tickets *t)
{
    extern __shared__ char raw[];
    typedef tiles<D, 2, D == 64 ? 192 : 176> T;
    const space<T> r(raw);

    all_pieces<T, lazy, one_by_one>(
        a, r, &q_map, &k_map, &v_map, t,
        [&](const float(&o)[D / 2], const struct online &of, const piece &w) {
            put_rows<D>(a, w.first + threadIdx.x / WARP * PART, w.h, o, of);
        });
}

typedef tiles<64, 2, 192> narrow;
typedef tiles<128, 2, 176> wide;

extern "C" size_t prefill_keys_scratch(const struct kernel_case *,
                                       const struct kernel_env *)
{
    return sizeof(struct tickets);
}

extern "C" const char *prefill_keys_prepare(const struct kernel_case *c,
                                            const struct kernel_env *,
                                            void *const *buf, void **state)
{
    return prefill_num(c, "d") == 64
               ? open_for<narrow>(keys<64>, 0, c, buf, state)
               : open_for<wide>(keys<128>, 0, c, buf, state);
}

extern "C" int prefill_keys(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *state)
{
    const struct attention a = attention_of(c, buf);
    const struct maps *const m = (const struct maps *)state;
    struct tickets *const t = (struct tickets *)buf[PREFILL_O + 1];
    const int all =
        prefill_num(c, "d") == 64 ? pieces<narrow>(a) : pieces<wide>(a);
    const int blocks = all < env->sms ? all : env->sms;
    const cudaStream_t to = (cudaStream_t)env->stream;

    if (prefill_num(c, "d") == 64)
        keys<64><<<blocks, narrow::THREADS, narrow::SHARED, to>>>(a, m->q, m->k,
                                                                  m->v, t);
    else
        keys<128><<<blocks, wide::THREADS, wide::SHARED, to>>>(a, m->q, m->k,
                                                               m->v, t);
    return cudaGetLastError();
}

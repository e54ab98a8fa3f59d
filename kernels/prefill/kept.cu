/*
 * prefill/kept - queries stay in registers.
 *
 * O = softmax(scale Q K') V.
 *
 * A group's queries are the same for all tiles of a piece, and up to here each
 * product of scores read them from shared memory anew: 2 KB beside 4 KB of
 * keys. The tensor cores also take a left operand from registers, as they take
 * weights. So a group loads its queries once for each piece (ldmatrix). With
 * 128 elements a head that is 32 registers, 192 with scores, weights and sums.
 *
 * Shared memory is not the limit, so this is about energy. Bytes that do not
 * move leave watts, and at the power limit watts are the clock.
 *
 * Predicts: 0.99 to 1.02 times prefill/seamless in a burst, 1.00 to 1.04 under
 * load.
 */
#include "kernels/prefill/seamless.cuh"

template <int D>
static __global__ void __launch_bounds__(tiles<D, 2, 128, 2, true>::THREADS, 1)
    kept_own(struct attention a, const __grid_constant__ CUtensorMap q_map,
             const __grid_constant__ CUtensorMap k_map,
             const __grid_constant__ CUtensorMap v_map,
             const __grid_constant__ CUtensorMap o_map, struct tickets *t)
{
    extern __shared__ char raw[];
    typedef tiles<D, 2, 128, 2, true> T;
    const space<T> r(raw);
    char *const out = out_of_warp<T>(r);

    all_pieces<T, lazy, seamless>(
        a, r, &q_map, &k_map, &v_map, t,
        [&](const float(&o)[D / 2], const struct online &of, const piece &w) {
            send_rows<T>(o, of, w, out, &o_map);
        });
    if (threadIdx.x % WARP == 0)
        ptx_bulk_wait<0>(); /* the last outputs are in memory */
}

typedef tiles<64, 2, 128, 2, true> narrow;
typedef tiles<128, 2, 128, 2, true> wide;

extern "C" size_t prefill_kept_scratch(const struct kernel_case *,
                                       const struct kernel_env *)
{
    return sizeof(struct tickets);
}

extern "C" const char *prefill_kept_prepare(const struct kernel_case *c,
                                            const struct kernel_env *,
                                            void *const *buf, void **state)
{
    return prefill_num(c, "d") == 64
               ? open_for<narrow>(kept_own<64>, outputs<narrow>::BYTES, c, buf,
                                  state)
               : open_for<wide>(kept_own<128>, outputs<wide>::BYTES, c, buf,
                                state);
}

extern "C" int prefill_kept(const struct kernel_case *c,
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
        kept_own<64>
            <<<blocks, narrow::THREADS, narrow::SHARED + outputs<narrow>::BYTES,
               to>>>(a, m->q, m->k, m->v, m->o, t);
    else
        kept_own<128>
            <<<blocks, wide::THREADS, wide::SHARED + outputs<wide>::BYTES,
               to>>>(a, m->q, m->k, m->v, m->o, t);
    return cudaGetLastError();
}

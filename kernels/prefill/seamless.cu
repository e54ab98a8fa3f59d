/*
 * prefill/seamless - a piece begins beside the end of the one before.
 *
 * O = softmax(scale Q K') V.
 *
 * In prefill/store a piece begins with scores alone, and a softmax with nothing
 * beside it; it ends with values alone. Both groups do so at about the same
 * time. I reckon a thousand cycles in which the tensor cores wait, for each
 * piece.
 *
 * Here the last turn of a piece starts the first scores of the next one, too.
 * Their softmax runs beside the last product with values, then outputs are sent
 * away. The queries of both pieces are needed at once, so there are two places
 * for them: 64 KB of the 227.
 *
 * Predicts: 1.00 to 1.03 times prefill/store at 8192 causal, 1.03 to 1.15 at
 * 1024.
 */
#include "kernels/prefill/seamless.cuh"

template <int D>
static __global__ void __launch_bounds__(tiles<D, 2, 128, 2>::THREADS, 1)
    seamless_own(struct attention a, const __grid_constant__ CUtensorMap q_map,
                 const __grid_constant__ CUtensorMap k_map,
                 const __grid_constant__ CUtensorMap v_map,
                 const __grid_constant__ CUtensorMap o_map, struct tickets *t)
{
    extern __shared__ char raw[];
    typedef tiles<D, 2, 128, 2> T;
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

typedef tiles<64, 2, 128, 2> narrow;
typedef tiles<128, 2, 128, 2> wide;

extern "C" size_t prefill_seamless_scratch(const struct kernel_case *,
                                           const struct kernel_env *)
{
    return sizeof(struct tickets);
}

extern "C" const char *prefill_seamless_prepare(const struct kernel_case *c,
                                                const struct kernel_env *,
                                                void *const *buf, void **state)
{
    return prefill_num(c, "d") == 64
               ? open_for<narrow>(seamless_own<64>, outputs<narrow>::BYTES, c,
                                  buf, state)
               : open_for<wide>(seamless_own<128>, outputs<wide>::BYTES, c, buf,
                                state);
}

extern "C" int prefill_seamless(const struct kernel_case *c,
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
        seamless_own<64>
            <<<blocks, narrow::THREADS, narrow::SHARED + outputs<narrow>::BYTES,
               to>>>(a, m->q, m->k, m->v, m->o, t);
    else
        seamless_own<128>
            <<<blocks, wide::THREADS, wide::SHARED + outputs<wide>::BYTES,
               to>>>(a, m->q, m->k, m->v, m->o, t);
    return cudaGetLastError();
}

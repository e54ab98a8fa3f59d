/*
 * prefill/thirds - three groups of 64 queries.
 *
 * O = softmax(scale Q K') V.
 *
 * With two groups, one has the time of the other's products for its softmax.
 * With heads of 64 elements that is too short: 8192 powers take 512 cycles at
 * least, as long as these products. A third group adds another turn. Each tile
 * also serves 192 queries instead of 128, so a third less leaves the L2.
 *
 * Registers are the price: 160 a thread. With 64 elements a head that is enough
 * for 128 keys, as FlashAttention-3 has it. With 128 elements it is enough for
 * 80 keys. A tile of 192 queries meets the diagonal in two to four tiles.
 *
 * Predicts: 1.03 to 1.20 times prefill/drawn with 64 elements a head and no
 * mask. With 128 elements the shorter tiles cost what the third group gains:
 * 0.93 to 1.05.
 */
#include "kernels/prefill/drawn.cuh"

template <int D>
static __global__ void
__launch_bounds__(tiles<D, 3, D == 64 ? 128 : 80>::THREADS, 1)
    thirds(struct attention a, const __grid_constant__ CUtensorMap q_map,
           const __grid_constant__ CUtensorMap k_map,
           const __grid_constant__ CUtensorMap v_map, struct tickets *t)
{
    extern __shared__ char raw[];
    typedef tiles<D, 3, D == 64 ? 128 : 80> T;
    const space<T> r(raw);

    all_pieces<T, lazy, one_by_one>(
        a, r, &q_map, &k_map, &v_map, t,
        [&](const float(&o)[D / 2], const struct online &of, const piece &w) {
            put_rows<D>(a, w.first + threadIdx.x / WARP * PART, w.h, o, of);
        });
}

typedef tiles<64, 3, 128> narrow;
typedef tiles<128, 3, 80> wide;

extern "C" size_t prefill_thirds_scratch(const struct kernel_case *,
                                         const struct kernel_env *)
{
    return sizeof(struct tickets);
}

extern "C" const char *prefill_thirds_prepare(const struct kernel_case *c,
                                              const struct kernel_env *,
                                              void *const *buf, void **state)
{
    return prefill_num(c, "d") == 64
               ? open_for<narrow>(thirds<64>, 0, c, buf, state)
               : open_for<wide>(thirds<128>, 0, c, buf, state);
}

extern "C" int prefill_thirds(const struct kernel_case *c,
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
        thirds<64><<<blocks, narrow::THREADS, narrow::SHARED, to>>>(
            a, m->q, m->k, m->v, t);
    else
        thirds<128><<<blocks, wide::THREADS, wide::SHARED, to>>>(a, m->q, m->k,
                                                                 m->v, t);
    return cudaGetLastError();
}

/*
 * prefill/shared - two heads share keys, without a seam between pieces.
 *
 * O = softmax(scale Q K') V.
 *
 * The idea is that of prefill/pairs: two blocks of a cluster take two heads
 * with the same keys, each asks for half of every tile, and the TMA delivers it
 * to both. There it gained nothing over prefill/resident. But both waited for
 * their own instructions then, and asked for fewer bytes a second.
 *
 * All the rest is prefill/seamless. Pieces are dealt out beforehand, as both
 * blocks must have the same row.
 *
 * Predicts: 0.98 to 1.04 times prefill/seamless in a burst, and 1.00 to 1.05
 * under load: half of what leaves the L2 does not move.
 */
#include "kernels/prefill/shared.cuh"

template <int D>
static __global__ void __cluster_dims__(2)
    __launch_bounds__(tiles<D, 2, 128, 2, false, 2>::THREADS, 1)
        shared_own(struct attention a,
                   const __grid_constant__ CUtensorMap q_map,
                   const __grid_constant__ CUtensorMap k_map,
                   const __grid_constant__ CUtensorMap v_map,
                   const __grid_constant__ CUtensorMap o_map)
{
    extern __shared__ char raw[];
    typedef tiles<D, 2, 128, 2, false, 2> T;
    const space<T> r(raw);
    char *const out = out_of_warp<T>(r);

    shared_pieces<T>(
        a, r, &q_map, &k_map, &v_map,
        [&](const float(&o)[D / 2], const struct online &of, const piece &w) {
            send_rows<T>(o, of, w, out, &o_map);
        });
    if (threadIdx.x % WARP == 0)
        ptx_bulk_wait<0>(); /* the last outputs are in memory */
    cluster_sync();         /* neither reaches into the other any more */
}

typedef tiles<64, 2, 128, 2, false, 2> narrow;
typedef tiles<128, 2, 128, 2, false, 2> wide;

extern "C" const char *prefill_shared_prepare(const struct kernel_case *c,
                                              const struct kernel_env *,
                                              void *const *buf, void **state)
{
    return prefill_num(c, "d") == 64
               ? open_for<narrow>(shared_own<64>, outputs<narrow>::BYTES, c,
                                  buf, state)
               : open_for<wide>(shared_own<128>, outputs<wide>::BYTES, c, buf,
                                state);
}

extern "C" int prefill_shared(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *state)
{
    const struct attention a = attention_of(c, buf);
    const struct maps *const m = (const struct maps *)state;
    const int all =
        prefill_num(c, "d") == 64 ? pieces<narrow>(a) : pieces<wide>(a);
    const int most = env->sms / wide::BLOCKS * wide::BLOCKS;
    const int blocks = all < most ? all : most;
    const cudaStream_t to = (cudaStream_t)env->stream;

    if (prefill_num(c, "d") == 64)
        shared_own<64>
            <<<blocks, narrow::THREADS, narrow::SHARED + outputs<narrow>::BYTES,
               to>>>(a, m->q, m->k, m->v, m->o);
    else
        shared_own<128>
            <<<blocks, wide::THREADS, wide::SHARED + outputs<wide>::BYTES,
               to>>>(a, m->q, m->k, m->v, m->o);
    return cudaGetLastError();
}

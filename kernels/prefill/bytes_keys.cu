/*
 * prefill/bytes_keys - 192 keys in a tile, in FP8.
 *
 * O = scale[h] softmax(scale Q K') V, as in prefill/bytes.
 *
 * Turns are half as long in FP8, and what a turn costs beside its products is
 * not. So prefill/keys' idea counts double here. Scores, weights and sums of
 * 192 keys take 184 registers. Turned values are two panels, of 128 keys and of
 * 64, since a row of the swizzle has 128 bytes.
 *
 * Predicts: 1.00 to 1.10 times prefill/bytes at 8192, full.
 */
#include "kernels/prefill/bytes.cuh"

typedef byte_tiles<192> byte_tile;

static __global__ void __launch_bounds__(byte_tile::THREADS, 1)
    bytes_keys_own(struct attention a, const float *scales,
                   const __grid_constant__ CUtensorMap q_map,
                   const __grid_constant__ CUtensorMap k_map,
                   const __grid_constant__ CUtensorMap v_map, struct tickets *t)
{
    extern __shared__ char raw[];

    byte_pieces<byte_tile>(a, raw, scales, &q_map, &k_map, &v_map, t);
}

extern "C" size_t prefill_bytes_keys_scratch(const struct kernel_case *,
                                             const struct kernel_env *)
{
    return sizeof(struct tickets);
}

extern "C" const char *prefill_bytes_keys_prepare(const struct kernel_case *c,
                                                  const struct kernel_env *,
                                                  void *const *buf,
                                                  void **state)
{
    const struct kernel_case half = pairs_of(c);

    return open_for<byte_tile>(bytes_keys_own, more<byte_tile>::BYTES, &half,
                               buf, state);
}

extern "C" int prefill_bytes_keys(const struct kernel_case *c,
                                  const struct kernel_env *env,
                                  void *const *buf, void *state)
{
    const struct attention a = attention_of(c, buf);
    const struct maps *const m = (const struct maps *)state;
    const int all = pieces<byte_tile>(a);
    const int blocks = all < env->sms ? all : env->sms;

    bytes_keys_own<<<blocks, byte_tile::THREADS,
                     byte_tile::SHARED + more<byte_tile>::BYTES,
                     (cudaStream_t)env->stream>>>(
        a, (const float *)buf[PREFILL_SCALES], m->q, m->k, m->v,
        (struct tickets *)buf[PREFILL_SCALES + 1]);
    return cudaGetLastError();
}

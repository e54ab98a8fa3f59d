/*
 * prefill/bytes_lazy - old sums are scaled only when they must, in FP8.
 *
 * O = scale[h] softmax(scale Q K') V, as in prefill/bytes_keys.
 *
 * In FP8 64 multiplications a tile weigh twice as much as in bf16. But what
 * prefill/lazy does needs room above the largest weight, and e4m3 ends at 448.
 * So weights are raised by 2^4 instead of 2^8, and a maximum stays until a
 * score is more than 2^4 times what it stands for. Weights below 2^-10 of the
 * largest lose bits now, where it was 2^-14.
 *
 * Predicts: 1.00 to 1.08 times prefill/bytes_keys at 8192, full.
 */
#include "kernels/prefill/bytes.cuh"

typedef byte_tiles<192, true> byte_tile;

static __global__ void __launch_bounds__(byte_tile::THREADS, 1)
    bytes_lazy_own(struct attention a, const float *scales,
                   const __grid_constant__ CUtensorMap q_map,
                   const __grid_constant__ CUtensorMap k_map,
                   const __grid_constant__ CUtensorMap v_map, struct tickets *t)
{
    extern __shared__ char raw[];

    byte_pieces<byte_tile>(a, raw, scales, &q_map, &k_map, &v_map, t);
}

extern "C" size_t prefill_bytes_lazy_scratch(const struct kernel_case *,
                                             const struct kernel_env *)
{
    return sizeof(struct tickets);
}

extern "C" const char *prefill_bytes_lazy_prepare(const struct kernel_case *c,
                                                  const struct kernel_env *,
                                                  void *const *buf,
                                                  void **state)
{
    const struct kernel_case half = pairs_of(c);

    return open_for<byte_tile>(bytes_lazy_own, more<byte_tile>::BYTES, &half,
                               buf, state);
}

extern "C" int prefill_bytes_lazy(const struct kernel_case *c,
                                  const struct kernel_env *env,
                                  void *const *buf, void *state)
{
    const struct attention a = attention_of(c, buf);
    const struct maps *const m = (const struct maps *)state;
    const int all = pieces<byte_tile>(a);
    const int blocks = all < env->sms ? all : env->sms;

    bytes_lazy_own<<<blocks, byte_tile::THREADS,
                     byte_tile::SHARED + more<byte_tile>::BYTES,
                     (cudaStream_t)env->stream>>>(
        a, (const float *)buf[PREFILL_SCALES], m->q, m->k, m->v,
        (struct tickets *)buf[PREFILL_SCALES + 1]);
    return cudaGetLastError();
}

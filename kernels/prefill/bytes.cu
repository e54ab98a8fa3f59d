/*
 * prefill/bytes - attention in FP8.
 *
 * O = scale[h] softmax(scale Q K') V, with Q, K and V in e4m3, O in bf16, and a
 * scale for the values of each head of keys.
 *
 * Products take half as long as in bf16, and powers do not: with 128 elements a
 * head both need 1024 cycles for 128 queries and keys. So FP8 is here what
 * heads of 64 elements are in bf16.
 *
 * Three things are new. In FP8 the tensor cores take values only if all keys of
 * an element lie side by side, so three warps of the group that asks turn each
 * tile (ldmatrix, bytes of two keys change places, stmatrix). The order of keys
 * in which they leave it is that in which a lane has its weights; an exchange
 * between lanes, which FlashAttention-3 has, is not needed. Weights are raised
 * by 2^8, as 448 is the largest e4m3 and its smallest numbers are coarse.
 *
 * Maxima are exact here, unlike in prefill/lazy: what weights are raised by
 * leaves no room for larger ones. The rest is prefill/drawn, with a second
 * place for queries.
 *
 * Predicts: 800 to 1150 TFLOP/s at 8192, full; 1.2 to 1.6 times prefill/drawn
 * in bf16.
 */
#include "kernels/prefill/bytes.cuh"

typedef byte_tiles<128> byte_tile;

static __global__ void __launch_bounds__(byte_tile::THREADS, 1)
    bytes_own(struct attention a, const float *scales,
              const __grid_constant__ CUtensorMap q_map,
              const __grid_constant__ CUtensorMap k_map,
              const __grid_constant__ CUtensorMap v_map, struct tickets *t)
{
    extern __shared__ char raw[];

    byte_pieces<byte_tile>(a, raw, scales, &q_map, &k_map, &v_map, t);
}

extern "C" size_t prefill_bytes_scratch(const struct kernel_case *,
                                        const struct kernel_env *)
{
    return sizeof(struct tickets);
}

extern "C" const char *prefill_bytes_prepare(const struct kernel_case *c,
                                             const struct kernel_env *,
                                             void *const *buf, void **state)
{
    const struct kernel_case half = pairs_of(c);

    return open_for<byte_tile>(bytes_own, more<byte_tile>::BYTES, &half, buf,
                               state);
}

extern "C" int prefill_bytes(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *state)
{
    const struct attention a = attention_of(c, buf);
    const struct maps *const m = (const struct maps *)state;
    const int all = pieces<byte_tile>(a);
    const int blocks = all < env->sms ? all : env->sms;

    bytes_own<<<blocks, byte_tile::THREADS,
                byte_tile::SHARED + more<byte_tile>::BYTES,
                (cudaStream_t)env->stream>>>(
        a, (const float *)buf[PREFILL_SCALES], m->q, m->k, m->v,
        (struct tickets *)buf[PREFILL_SCALES + 1]);
    return cudaGetLastError();
}

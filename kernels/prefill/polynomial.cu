/*
 * prefill/polynomial - a quarter of the powers come from the FMA units.
 *
 * O = softmax(scale Q K') V.
 *
 * The special function units make 16 powers in a cycle. With heads of 64
 * elements they need as long as the tensor cores, 1024 cycles for 128 queries
 * and keys. FlashAttention-4 makes part of the powers elsewhere, because
 * Blackwell has that trouble with 128 elements, too. Here it is one in four.
 *
 * x is split into an integer and a rest from -1/2 to 1/2 (Cody and Waite), of
 * whose power the polynomial of degree 3 with the least relative error is off
 * by 7.5e-5 of itself, 2^-13.7. It has either sign, so its deviation of some
 * 2^-14.2 adds to that of the rounding to bf16, 2^-8.8, less than a thousandth.
 * Each costs 8 instructions in place of one.
 *
 * Predicts: 1.00 to 1.08 times prefill/seamless with 64 elements a head, 0.97
 * to 1.01 times with 128.
 */
#include "kernels/prefill/seamless.cuh"

// ANCHOR: power
/* 2^x without the special function unit, for x up to 127; what is less than
 * 2^-126 is that. Adding 3 2^22 rounds x to an integer, which stands in the
 * last bits of the sum, and moves from there to the exponent. */
static __device__ __forceinline__ float power_of(float x)
{
    const float more = 12582912, in = fmaxf(x, -126), sum = in + more;
    const float f = in - (sum - more); /* from -1/2 to 1/2 */
    const float p =
        ((0.0551716685f * f + 0.242611125f) * f + 0.693260968f) * f +
        0.999928057f;

    return __uint_as_float(__float_as_uint(p) + (__float_as_uint(sum) << 23));
}

/* Of each four pairs of weights one is a polynomial. */
struct mixed {
    template <class T, class WAIT>
    static __device__ __forceinline__ void weigh(state<T> &x, const space<T> &,
                                                 float scale, WAIT sums_there)
    {
        weigh_lazily(x, scale, sums_there, [](float e, int pair) {
            return pair % 4 == 3 ? power_of(e) : ptx_exp2(e);
        });
    }
};
// ANCHOR_END: power

template <int D>
static __global__ void __launch_bounds__(tiles<D, 2, 128, 2>::THREADS, 1)
    polynomial_own(struct attention a,
                   const __grid_constant__ CUtensorMap q_map,
                   const __grid_constant__ CUtensorMap k_map,
                   const __grid_constant__ CUtensorMap v_map,
                   const __grid_constant__ CUtensorMap o_map, struct tickets *t)
{
    extern __shared__ char raw[];
    typedef tiles<D, 2, 128, 2> T;
    const space<T> r(raw);
    char *const out = out_of_warp<T>(r);

    all_pieces<T, mixed, seamless>(
        a, r, &q_map, &k_map, &v_map, t,
        [&](const float(&o)[D / 2], const struct online &of, const piece &w) {
            send_rows<T>(o, of, w, out, &o_map);
        });
    if (threadIdx.x % WARP == 0)
        ptx_bulk_wait<0>(); /* the last outputs are in memory */
}

typedef tiles<64, 2, 128, 2> narrow;
typedef tiles<128, 2, 128, 2> wide;

extern "C" size_t prefill_polynomial_scratch(const struct kernel_case *,
                                             const struct kernel_env *)
{
    return sizeof(struct tickets);
}

extern "C" const char *prefill_polynomial_prepare(const struct kernel_case *c,
                                                  const struct kernel_env *,
                                                  void *const *buf,
                                                  void **state)
{
    return prefill_num(c, "d") == 64
               ? open_for<narrow>(polynomial_own<64>, outputs<narrow>::BYTES, c,
                                  buf, state)
               : open_for<wide>(polynomial_own<128>, outputs<wide>::BYTES, c,
                                buf, state);
}

extern "C" int prefill_polynomial(const struct kernel_case *c,
                                  const struct kernel_env *env,
                                  void *const *buf, void *state)
{
    const struct attention a = attention_of(c, buf);
    const struct maps *const m = (const struct maps *)state;
    struct tickets *const t = (struct tickets *)buf[PREFILL_O + 1];
    const int all =
        prefill_num(c, "d") == 64 ? pieces<narrow>(a) : pieces<wide>(a);
    const int blocks = all < env->sms ? all : env->sms;
    const cudaStream_t to = (cudaStream_t)env->stream;

    if (prefill_num(c, "d") == 64)
        polynomial_own<64>
            <<<blocks, narrow::THREADS, narrow::SHARED + outputs<narrow>::BYTES,
               to>>>(a, m->q, m->k, m->v, m->o, t);
    else
        polynomial_own<128>
            <<<blocks, wide::THREADS, wide::SHARED + outputs<wide>::BYTES,
               to>>>(a, m->q, m->k, m->v, m->o, t);
    return cudaGetLastError();
}

/*
 * kernels/step/staged.cuh - the host's side of step/staged and step/scaled.
 *
 * KERNELS says which kernels of its own a variant has: product<F, NORM, END>()
 * for slots of the form F, and keys<G>() for groups of G heads.
 */
#ifndef KERNELS_STEP_STAGED_CUH
#define KERNELS_STEP_STAGED_CUH

#include "kernels/step/keys.cuh"
#include "kernels/step/result.cuh"
#include "kernels/step/slots.cuh"

/* Constants for kernels/step/chain.cuh: small steps are part of products, and
 * kernels overlap. */
struct staged_ways {
    static constexpr bool OVERLAP = true, AHEAD = false, FUSED = true;
};

/* For one sequence: the kernels of step/fused. */
struct single_way : staged_ways {
};

/* What attention leaves lies behind the memory of other variants. */
static size_t staged_own(const struct step_shape *s, int sms)
{
    return (chain_bytes(s, sms) - step_own_at(s) + 255) / 256 * 256;
}

/* Bytes of scratch memory. */
static size_t staged_bytes(const struct step_shape *s, int sms)
{
    return step_own_at(s) + staged_own(s, sms) + keys_bytes(s);
}

template <class KERNELS, int TOKENS, class NORM, class END>
static int staged_start(const chain &x, const product_rows &r, const NORM &norm,
                        const END &end)
{
    typedef slots_form<TOKENS> F;

    return slots_launch<F>(x, KERNELS::template product<F, NORM, END>(), r,
                           norm, end);
}

/* The product of several, of vectors that NORM looks after. */
template <class KERNELS, class NORM, class END>
static int staged_slots(const chain &x, const product_rows &r, const NORM &norm,
                        const END &end)
{
    return x.m.s.b <= 8    ? staged_start<KERNELS, 8>(x, r, norm, end)
           : x.m.s.b <= 16 ? staged_start<KERNELS, 16>(x, r, norm, end)
                           : staged_start<KERNELS, 32>(x, r, norm, end);
}

/* norm(r.x) to x.h, by a kernel. */
static int staged_norm(const chain &x, const product_rows &r)
{
    const int rc = slots_room(norm_vectors<true>, 0);

    return rc ? rc
              : chain_launch<staged_ways>(x, norm_vectors<true>, dim3(x.m.s.b),
                                          SMALL_THREADS, x.h, r.x, r.gain, r.k,
                                          r.shrink);
}

/* The product of one sequence. */
template <class END>
static int staged_single(const chain &x, const product_rows &r, const END &end)
{
    const dim3 grid((r.n / 2 + ONE_WARPS - 1) / ONE_WARPS);

    if (r.gain)
        return chain_launch<staged_ways>(x, one_vector<true, false, true, END>,
                                         grid, ONE_THREADS, r, end);
    return chain_launch<staged_ways>(x, one_vector<true, false, false, END>,
                                     grid, ONE_THREADS, r, end);
}

template <class KERNELS, int G>
static int staged_rows(const chain &x, const attend &t)
{
    const dim3 grid(t.pieces, t.kv, x.m.s.b);
    const auto kernel = KERNELS::template keys<G>();
    cudaLaunchAttribute with[2] = {};
    const cudaLaunchConfig_t config =
        slots_config({grid, 1, ATTEND_THREADS, KEYS_SHARED}, x.stream, with);
    const int rc = slots_room(kernel, KEYS_SHARED);

    return rc ? rc : (int)cudaLaunchKernelEx(&config, kernel, t);
}

template <class KERNELS>
static int staged_attend(const chain &x, const struct step_layer &l)
{
    const struct step_shape *const s = &x.m.s;
    const int pieces = keys_pieces_of(s);
    float *const values = (float *)(x.m.own + staged_own(s, x.sms));
    struct weight *const weights =
        (struct weight *)(values + (size_t)s->b * s->kv * pieces *
                                       ATTEND_GROUP * STEP_DEEP);
    const attend t = {l.to.a,   l.from.q,
                      l.from.k, l.from.v,
                      l.keys,   l.values,
                      values,   weights,
                      x.done,   s->kv,
                      s->l - 1, KEYS_SPAN,
                      pieces,   1.44269504f / sqrtf(STEP_DEEP)};

    if (s->b == 1)
        return chain_attend<single_way>(x, l);
    switch (s->heads / s->kv) {
    case 1:
        return staged_rows<KERNELS, 1>(x, t);
    case 2:
        return staged_rows<KERNELS, 2>(x, t);
    default:
        return staged_rows<KERNELS, 4>(x, t);
    }
}

#endif

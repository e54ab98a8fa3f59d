/*
 * kernels/epilogue/act.cuh - the activations of sums in f32, twice: with the
 * functions of the math library, and with one instruction of the special
 * function unit.
 *
 * That unit has tanh (tanh.approx.f32, here __tanhf), off by at most 2^-11 of
 * it. GELU's tanh form needs nothing else. Nor does SwiGLU: a logistic function
 * is a tanh,
 *
 *     1 / (1 + exp(-v)) = (1 + tanh(v/2)) / 2.
 *
 * And GELU with erf is v Φ(v), where the normal distribution function Φ is
 * one as well, of a bent argument:
 *
 *     Φ(v) = (1 + tanh(L(v))) / 2,   L(v) = log(Φ(v) / Φ(-v)) / 2.
 *
 * L is odd and smooth, so v times a short polynomial in v² follows it. The
 * tanh form is one of two terms. act_bent() has three, fitted for the smallest
 * error of Φ (Lawson's iteration, 1500 points up to 5): at most 2^-15.7, far
 * below what tanh.approx itself may be off. Its third term is negative, so v²
 * is held at 25, where Φ is 1 to 2^-21.
 *
 * So v/2 (1 + tanh) errs by 2^-12 |v| for the instruction, and by 2^-15.7 |v|
 * more with erf. Where v is positive that is a sixteenth of the rounding to
 * bf16. Where v is negative the result is a small difference of large numbers,
 * and errs by more than its own rounding from v = -1 or so on down.
 */
#ifndef KERNELS_EPILOGUE_ACT_CUH
#define KERNELS_EPILOGUE_ACT_CUH

#include "kernels/bf16.h"
#include "kernels/epilogue/epilogue.h"
#include "kernels/ptx.cuh"

#define ACT_FN static __device__ __forceinline__

/* Which of the two: a template argument, as is the activation. */
enum act_way {
    ACT_LIBRARY, /* tanhf(), erff(), expf(), division */
    ACT_SHORT,   /* __tanhf() */
};

/* The argument of tanh for the GELU of v. */
template <epilogue_act ACT> ACT_FN float act_bent(float v)
{
    const float s = v * v;

    if (ACT == EPILOGUE_TANH)
        return v * ((float)EPILOGUE_SLOPE +
                    (float)(EPILOGUE_SLOPE * EPILOGUE_CUBE) * s);
    // ANCHOR: inner
    const float held = fminf(s, 25);

    return v * (0.79771783f + held * (0.036798256f + held * -0.00031580707f));
    // ANCHOR_END: inner
}

template <epilogue_act ACT, act_way WAY> ACT_FN float act_gelu(float v)
{
    const float half = 0.5f * v;

    if (WAY == ACT_SHORT)
        return half + half * __tanhf(act_bent<ACT>(v));
    if (ACT == EPILOGUE_TANH)
        return half * (1 + tanhf(act_bent<ACT>(v)));
    return half * (1 + erff(v * 0.70710678f));
}

template <act_way WAY> ACT_FN float act_swiglu(float gate, float up)
{
    const float half = 0.5f * gate;

    if (WAY == ACT_LIBRARY)
        return gate / (1 + expf(-gate)) * up;
    return (half + half * __tanhf(half)) * up;
}

/* ---- pairs of neighbours, as words of bf16 ---- */

/* GELU of two sums and their biases. */
template <epilogue_act ACT, act_way WAY>
ACT_FN uint32_t act_pair(float first, float second, uint32_t bias)
{
    return bf16_pair(act_gelu<ACT, WAY>(first + bf16_first(bias)),
                     act_gelu<ACT, WAY>(second + bf16_second(bias)));
}

/* SwiGLU of two gates and two ups; `g` and `u` are their biases. */
template <act_way WAY>
ACT_FN uint32_t act_gated(float gate, float gate2, uint32_t g, float up,
                          float up2, uint32_t u)
{
    return bf16_pair(
        act_swiglu<WAY>(gate + bf16_first(g), up + bf16_first(u)),
        act_swiglu<WAY>(gate2 + bf16_second(g), up2 + bf16_second(u)));
}

/* The activation as a type, for f(act_constant<ACT>()). */
template <epilogue_act ACT> struct act_constant {
    static constexpr epilogue_act act = ACT;
};

/* Calls f with the case's GELU as a constant; with any activation. */
template <typename F>
static auto act_with_gelu(const struct kernel_case *c, F f)
{
    return epilogue_act_of(c) == EPILOGUE_TANH
               ? f(act_constant<EPILOGUE_TANH>())
               : f(act_constant<EPILOGUE_ERF>());
}

template <typename F> static auto act_with(const struct kernel_case *c, F f)
{
    return epilogue_act_of(c) == EPILOGUE_SWIGLU
               ? f(act_constant<EPILOGUE_SWIGLU>())
               : act_with_gelu(c, f);
}

#endif

/*
 * kernels/prefill/lazy.cuh - old sums stay as they are while their maximum is
 * good enough.
 */
#ifndef KERNELS_PREFILL_LAZY_CUH
#define KERNELS_PREFILL_LAZY_CUH

#include "kernels/prefill/beside.cuh"

enum { SLACK = 8 /* weights are 2^8 at most */ };

// ANCHOR: lazy
/* Of soften(): a maximum counts only if it is more than 2^ALLOWED times the one
 * before; weights are raised by 2^RAISE, and the sum of them with them. Returns
 * whether it does, for one of the lane's rows. power(x, j) is 2^x of pair j of
 * a row. */
template <int ALLOWED, int RAISE, int S, class POWER>
static __device__ __forceinline__ bool
soften_lazily(float (&s)[S], float scale, struct online &o, float (&back)[2],
              POWER power)
{
    bool moves = false;

#pragma unroll
    for (int h = 0; h < 2; h++) {
        float most = -INFINITY, at, by, part = 0;
        bool grows;

#pragma unroll
        for (int i = 2 * h; i < S; i += 4)
            most = fmaxf(most, fmaxf(s[i], s[i + 1]));
        most = over_four(most, false);
        grows = (most - o.top[h]) * scale > ALLOWED;
        most = grows ? most : o.top[h];
        at = most == -INFINITY ? 0 : most * scale;
        by = at - RAISE;
        back[h] = grows ? ptx_exp2(o.top[h] * scale - at) : 1;
#pragma unroll
        for (int i = 2 * h; i < S; i += 4) {
            s[i] = power(s[i] * scale - by, i / 4);
            s[i + 1] = power(s[i + 1] * scale - by, i / 4);
            part += s[i] + s[i + 1];
        }
        o.top[h] = most;
        o.sum[h] = o.sum[h] * back[h] + part;
        moves = moves || grows;
    }
    return moves;
}

/* Scores become weights, and old sums are scaled if they must be. */
template <class T, class WAIT, class POWER>
static __device__ __forceinline__ void
weigh_lazily(state<T> &x, float scale, WAIT sums_there, POWER power)
{
    float back[2];

    if (__any_sync(0xffffffffu,
                   soften_lazily<SLACK, 0>(x.s, scale, x.of, back, power))) {
        wgmma_wait<0>();
        wgmma_landed(x.o);
        scale_rows(x.o, back);
    }
    sums_there();
}
// ANCHOR_END: lazy

struct lazy {
    template <class T, class WAIT>
    static __device__ __forceinline__ void weigh(state<T> &x, const space<T> &,
                                                 float scale, WAIT sums_there)
    {
        weigh_lazily(x, scale, sums_there,
                     [](float e, int) { return ptx_exp2(e); });
    }
};

#endif

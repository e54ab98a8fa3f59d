/*
 * atomics/warp - the lanes of a warp add up first.
 *
 * The match instruction tells each lane which other lanes go to the same place.
 * Those lanes add up their values in registers, and one of them sends the sum.
 * If all lanes agree, that is a 32nd of the messages; if they do not, the match
 * was wasted.
 *
 * Predicted before any run: 20 times faster on one place, slower on many.
 */
#include "kernels/atomics/atomics.cuh"

/* If all lanes go to one place, integers have an instruction for their sum. */
ATOMICS_FN bool sum_at_once(unsigned active, unsigned peers, int *value)
{
    if (!__all_sync(active, peers == active))
        return false;
    *value = __reduce_add_sync(active, *value);
    return true;
}

ATOMICS_FN bool sum_at_once(unsigned, unsigned, float *)
{
    return false;
}

/*
 * The sum over the lanes in `peers`, in the first of them. In each round a
 * lane adds the value of its next peer that is still there, then every second
 * one leaves: five rounds at most. All `active` lanes together.
 */
template <class T>
ATOMICS_FN T sum_peers(unsigned active, unsigned peers, T value)
{
    const unsigned lane = threadIdx.x % WARP;
    const unsigned below = (1u << lane) - 1;
    unsigned rank = __popc(peers & below);
    unsigned above = peers & ~below & ~(1u << lane);

    while (__any_sync(active, above != 0)) {
        const int next = above != 0 ? __ffs((int)above) - 1 : (int)lane;
        const T other = __shfl_sync(active, value, next);

        if (above != 0)
            value += other;
        above &= ~__ballot_sync(active, rank & 1);
        rank /= 2;
    }
    return value;
}

template <class T>
static __global__ void __launch_bounds__(ATOMICS_THREADS)
    add(T *sums, const void *x, struct atomics_shape s)
{
    const unsigned lane = threadIdx.x % WARP;

    // ANCHOR: inner
    atomics_walk<T>(x, s, [&](unsigned place, T value) {
        const unsigned active = __activemask();
        const unsigned peers = __match_any_sync(active, place);
        T sum = value;

        if (!sum_at_once(active, peers, &sum))
            sum = sum_peers(active, peers, value);
        if (lane == (unsigned)__ffs((int)peers) - 1)
            atomics_red(&sums[place * s.gap], sum);
    });
    // ANCHOR_END: inner
}

extern "C" int atomics_warp(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *)
{
    return c->dtype == KERNEL_I32 ? atomics_start(add<int>, c, env, buf, 0)
                                  : atomics_start(add<float>, c, env, buf, 0);
}

/*
 * decode/waves - every SM has the same number of tiles.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * Pieces of 512 keys do not divide by the SMs. One sequence of 8192 keys has
 * 128 pieces for 264 places, eight of 1024 have 128 as well: half of the places
 * stay empty, or each SM has half of its slots. With more pieces the last wave
 * is not full. And each piece waits for its first bytes.
 *
 * Here a block stays on each SM, and all tiles of all rows are shared out
 * evenly: no block has more than one tile more than another. A block has six
 * slots, 192 KB, and asks for tiles of the next row while it multiplies those
 * of this one. At most two of its rows are others' as well, so there are at
 * most as many parts to join as blocks.
 *
 * Predicts: memory is the limit from 64 MB on, latency below. 1.10 to 1.25
 * times decode/ring with eight sequences of 8192 keys, at 3.9 to 4.3 TB/s.
 */
#include "kernels/decode/share.cuh"

template <int ROWS>
static __global__ void __launch_bounds__(THREADS, 1)
    waves(struct attention a, const __grid_constant__ maps m, left to)
{
    extern __shared__ char raw[];
    const room<slots_beside<ROWS>, ROWS> now(raw);
    const struct share s = share_of<ROWS>(a);

    // ANCHOR: inner
    each_row<ROWS>(a, s, [&](const struct place &p, int n, int count) {
        if (fetches())
            fetch_row(a, now, m, p, n, count);
        else
            multiply_row<held>(a, now, s, to, p, n, count);
    });
    // ANCHOR_END: inner
}

template <int ROWS>
static int start(const attention &a, const maps &m,
                 const struct kernel_env *env, void *scratch)
{
    const int shared = room<slots_beside<ROWS>, ROWS>::SHARED;
    const int error = with_room(waves<ROWS>, shared);

    if (error)
        return error;
    waves<ROWS><<<env->sms, THREADS, shared, (cudaStream_t)env->stream>>>(
        a, m, left_at<ROWS>(env->sms, scratch));
    return cudaGetLastError();
}

extern "C" size_t decode_waves_scratch(const struct kernel_case *c,
                                       const struct kernel_env *env)
{
    return left_scratch(c, env);
}

extern "C" const char *decode_waves_prepare(const struct kernel_case *c,
                                            const struct kernel_env *,
                                            void *const *buf, void **state)
{
    return maps_open(c, buf, state);
}

extern "C" int decode_waves(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *state)
{
    const struct attention a = attention_of(c, buf);

    return few_heads(a)
               ? start<8>(a, *(const maps *)state, env, buf[DECODE_SCRATCH])
               : start<16>(a, *(const maps *)state, env, buf[DECODE_SCRATCH]);
}

/*
 * mla/paged - keys lie in pages of 64, wherever there was room.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * A page is a tile. So this is mla/split, but that the thread which asks looks
 * up where each tile lies. It looks before it waits for the slots of a pair,
 * so that the table's answer has time to come.
 *
 * Predicts: nothing changes: 0.97 to 1.02 times mla/split with 128 sequences of
 * 8192 keys and 128 heads.
 */
#include "kernels/mla/pieces.cuh"

enum { MOST = 16 };

static __global__ void __launch_bounds__(THREADS, 1)
    paged(struct absorbed a, const __grid_constant__ maps m, parts p)
{
    extern __shared__ char raw[];
    const room r(raw);
    const struct piece w = piece_of(a, p.most);
    const int32_t *const table = a.where + a.b + w.of.sequence * a.room;

    if (w.keys <= 0)
        return;
    go(
        r, a, m, w.of, w.keys, [&](int i) { return table[w.tile + i] * KEYS; },
        [&](const live &x) { finish_last(a, p, w, x); });
}

extern "C" size_t mla_paged_scratch(const struct kernel_case *c,
                                    const struct kernel_env *env)
{
    return parts_bytes(c, env->sms, MOST);
}

extern "C" const char *mla_paged_prepare(const struct kernel_case *c,
                                         const struct kernel_env *,
                                         void *const *buf, void **state)
{
    return open_for(paged, room::SHARED, c, buf, state);
}

extern "C" int mla_paged(const struct kernel_case *c,
                         const struct kernel_env *env, void *const *buf,
                         void *state)
{
    const struct absorbed a = absorbed_of(c, buf);
    const int most = pieces_for(a, env->sms, MOST);

    paged<<<dim3(shares_of(a), most, a.b), THREADS, room::SHARED,
            (cudaStream_t)env->stream>>>(a, *(const maps *)state,
                                         parts_at(a, buf[MLA_SCRATCH], most));
    return cudaGetLastError();
}

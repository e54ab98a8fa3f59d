/*
 * mla/pairs - two blocks with the same keys fetch them together.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * 128 heads are two blocks, and in mla/split each of them fetches all keys: 72
 * KB for 2176 cycles of products, 34 bytes in a cycle and SM. Here the two are
 * a cluster. Each asks for 32 of the 64 rows of a tile, and the TMA writes them
 * to both. That halves what the L2 is asked for, as in prefill/pairs.
 *
 * A part of a slot is free when both blocks are done with it, so the two go
 * through their keys in step.
 *
 * Predicts: tensor cores are the limit, and little changes, as in prefill. 0.96
 * to 1.06 times mla/split with 128 sequences of 8192 keys and 128 heads.
 */
#include "kernels/mla/pieces.cuh"

enum { MOST = 16, PAIR = 2 };

static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    pairs(struct absorbed a, const __grid_constant__ maps m, parts p)
{
    extern __shared__ char raw[];
    const room r(raw);
    const struct piece w = piece_of(a, p.most);

    if (w.keys <= 0)
        return; /* and so does the other block */
    go<PAIR>(
        r, a, m, w.of, w.keys,
        [&](int i) { return w.of.sequence * a.l + (w.tile + i) * KEYS; },
        [&](const live &x) { finish_last(a, p, w, x); });
    cluster_sync(); /* nobody reaches for this block's barriers any more */
}

extern "C" size_t mla_pairs_scratch(const struct kernel_case *c,
                                    const struct kernel_env *env)
{
    return parts_bytes(c, env->sms, MOST);
}

extern "C" const char *mla_pairs_prepare(const struct kernel_case *c,
                                         const struct kernel_env *,
                                         void *const *buf, void **state)
{
    return open_for(pairs, room::SHARED, c, buf, state, KEYS / PAIR);
}

extern "C" int mla_pairs(const struct kernel_case *c,
                         const struct kernel_env *env, void *const *buf,
                         void *state)
{
    const struct absorbed a = absorbed_of(c, buf);
    const int most = pieces_for(a, env->sms, MOST);

    pairs<<<dim3(shares_of(a), most, a.b), THREADS, room::SHARED,
            (cudaStream_t)env->stream>>>(a, *(const maps *)state,
                                         parts_at(a, buf[MLA_SCRATCH], most));
    return cudaGetLastError();
}

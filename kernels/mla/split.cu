/*
 * mla/split - sequences cut into pieces that fill one wave.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * With 32 sequences and 128 heads mla/seesaw has 64 blocks for 132 SMs, and
 * with one sequence it has two. Here a sequence is cut into as many pieces as
 * fit the SMs at once. More would begin a second wave, and fewer leave SMs
 * idle. The block that is done last joins the parts, as in decode/last.
 *
 * A part is 128 KB, and the last block reads those of all pieces by itself:
 * some 2100 cycles each or more, with 64 bytes a cycle from the L2. So there
 * are 16 pieces at most.
 *
 * Predicts: tensor cores are the limit with 128 heads, memory with 16. 1.7 to
 * 2.0 times mla/seesaw with 32 sequences of 8192 keys and 128 heads; 72 to 90 %
 * of the memory's bandwidth with 16 heads.
 */
#include "kernels/mla/pieces.cuh"

enum { MOST = 16 };

static __global__ void __launch_bounds__(THREADS, 1)
    split(struct absorbed a, const __grid_constant__ maps m, parts p)
{
    extern __shared__ char raw[];
    const room r(raw);
    const struct piece w = piece_of(a, p.most);

    if (w.keys <= 0)
        return;
    go(
        r, a, m, w.of, w.keys,
        [&](int i) { return w.of.sequence * a.l + (w.tile + i) * KEYS; },
        [&](const live &x) { finish_last(a, p, w, x); });
}

extern "C" size_t mla_split_scratch(const struct kernel_case *c,
                                    const struct kernel_env *env)
{
    return parts_bytes(c, env->sms, MOST);
}

extern "C" const char *mla_split_prepare(const struct kernel_case *c,
                                         const struct kernel_env *,
                                         void *const *buf, void **state)
{
    return open_for(split, room::SHARED, c, buf, state);
}

extern "C" int mla_split(const struct kernel_case *c,
                         const struct kernel_env *env, void *const *buf,
                         void *state)
{
    const struct absorbed a = absorbed_of(c, buf);
    const int most = pieces_for(a, env->sms, MOST);

    split<<<dim3(shares_of(a), most, a.b), THREADS, room::SHARED,
            (cudaStream_t)env->stream>>>(a, *(const maps *)state,
                                         parts_at(a, buf[MLA_SCRATCH], most));
    return cudaGetLastError();
}

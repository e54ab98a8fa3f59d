/*
 * verify/joint - all blocks of a row join its parts.
 *
 * o = softmax(scale q K') V for each head of each new token, over the keys that
 * the token sees.
 *
 * In verify/split the last block of a row joins while the others have ended.
 * With one sequence a row has 32 parts. One token has four queries in each, and
 * eight tokens have 32: half a megabyte, which one block reads by itself. That
 * is work that grows with the draft, after memory has fallen silent.
 *
 * If all blocks of a row are at work at once, they may wait for each other.
 * Here each waits until all parts of its row have been left, and joins some of
 * the queries. To be sure of that there is one block for each SM, so pieces are
 * twice as long, and parts are half as many. Four warps of an SM still have
 * 64 KB under way.
 *
 * Predicts: latency is the limit of one sequence. 0.3 to 0.7 of the time of
 * verify/split with one sequence of 4096 keys and eight tokens, and four tokens
 * take up to 1.2 times as long as one. With 32 sequences, which have a piece
 * each, within 3 %.
 */
#include "kernels/verify/joint.cuh"

template <int ROWS>
static __global__ void __launch_bounds__(BESIDE, TOGETHER)
    joint(struct draft d, pieces p)
{
    extern __shared__ __align__(128) char raw[];

    attend_jointly<ROWS>(raw, d, p, [] {});
}

template <int ROWS>
static int start(const draft &d, const struct kernel_env *env, void *scratch)
{
    const cut by = cut_for_wave(d, env->sms);
    const int error = with_room(joint<ROWS>, shared_for<ROWS>);

    if (error)
        return error;
    joint<ROWS><<<blocks_for(d, by), BESIDE, shared_for<ROWS>,
                  (cudaStream_t)env->stream>>>(d, pieces_at(d, by, scratch));
    return cudaGetLastError();
}

extern "C" size_t verify_joint_scratch(const struct kernel_case *c,
                                       const struct kernel_env *env)
{
    const draft d = draft_sizes(c);

    return pieces_bytes(d, cut_for_wave(d, env->sms));
}

extern "C" int verify_joint(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *)
{
    const draft d = draft_of(c, buf);

    return EIGHT_TO_32(d, start, d, env, buf[VERIFY_SCRATCH]);
}

/*
 * verify/split - pieces that fill one wave.
 *
 * o = softmax(scale q K') V for each head of each new token, over the keys that
 * the token sees.
 *
 * With pieces of 512 keys the number of blocks is whatever it is. One sequence
 * of 4096 keys has 64 of them, for 132 SMs that hold two each; 32 sequences
 * have 2048, which are 7.8 waves. A draft makes parts expensive, too: a part of
 * 32 queries is as much as 32 keys, written once and read once.
 *
 * Here a piece is as long as it takes for all blocks to be at work at once.
 * With 32 sequences a row has one piece, so that nothing is joined; a long
 * sequence by itself has half as many as before. A short one has more: 32 of
 * 4096 keys in place of eight. All SMs read then, but the last block of a row
 * has four times as much to join.
 *
 * Predicts: latency is the limit of one sequence. With four tokens 1.05 to 1.4
 * times as fast as verify/mma with one sequence of 32768 keys, and 0.6 to 1.0
 * times with one of 4096. With 32 sequences of 4096 keys within 5 %.
 */
#include "kernels/verify/wave.cuh"

template <int ROWS>
static __global__ void __launch_bounds__(BESIDE, TOGETHER)
    split(struct draft d, pieces p)
{
    extern __shared__ __align__(128) char raw[];

    attend_piece<ROWS>(raw, d, row_of(d.a, blockIdx.y, ROWS), p);
}

template <int ROWS>
static int start(const draft &d, const struct kernel_env *env, void *scratch)
{
    const cut by = cut_for_wave(d, TOGETHER * env->sms);
    const int error = with_room(split<ROWS>, shared_for<ROWS>);

    if (error)
        return error;
    split<ROWS><<<blocks_for(d, by), BESIDE, shared_for<ROWS>,
                  (cudaStream_t)env->stream>>>(d, pieces_at(d, by, scratch));
    return cudaGetLastError();
}

extern "C" size_t verify_split_scratch(const struct kernel_case *c,
                                       const struct kernel_env *env)
{
    const draft d = draft_sizes(c);

    return pieces_bytes(d, cut_for_wave(d, TOGETHER * env->sms));
}

extern "C" int verify_split(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *)
{
    const draft d = draft_of(c, buf);

    return EIGHT_TO_32(d, start, d, env, buf[VERIFY_SCRATCH]);
}

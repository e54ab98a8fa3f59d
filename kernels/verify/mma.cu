/*
 * verify/mma - all tokens in one pass, on tensor cores.
 *
 * o = softmax(scale q K') V for each head of each new token, over the keys that
 * the token sees.
 *
 * The instruction mma.m16n8k16 multiplies 16 keys by eight queries. One token
 * of a group of four heads fills half of these eight, and two tokens fill them.
 * Eight tokens are four such products with the same operands of keys, which
 * ldmatrix fetches once. Tensor cores have the time: the 8 KB of 16 keys and
 * their values take 390 cycles of an SM to come from memory, and 64 products
 * with 32 queries at most 260, even at half rate.
 *
 * A mask costs nothing while all tokens see all keys. Only the last keys are
 * the tokens' own. There a lane looks at a bit of its query for each score.
 *
 * Predicts: memory is the limit with all drafts. Four tokens take 1.0 to 1.06
 * times as long as one with 32 sequences of 4096 keys, and eight tokens 1.02
 * to 1.25 times.
 */
#include "kernels/verify/pieces.cuh"

// ANCHOR: inner
template <int ROWS>
static __global__ void __launch_bounds__(BESIDE, TOGETHER)
    mma(struct draft d, pieces p)
{
    extern __shared__ __align__(128) char raw[];

    attend_piece<ROWS>(raw, d, row_of(d.a, blockIdx.y, ROWS), p);
}
// ANCHOR_END: inner

template <int ROWS>
static int start(const draft &d, const struct kernel_env *env, void *scratch)
{
    const cut by = cut_by(d, SPAN);
    const int error = with_room(mma<ROWS>, shared_for<ROWS>);

    if (error)
        return error;
    mma<ROWS><<<blocks_for(d, by), BESIDE, shared_for<ROWS>,
                (cudaStream_t)env->stream>>>(d, pieces_at(d, by, scratch));
    return cudaGetLastError();
}

extern "C" size_t verify_mma_scratch(const struct kernel_case *c,
                                     const struct kernel_env *)
{
    const draft d = draft_sizes(c);

    return pieces_bytes(d, cut_by(d, SPAN));
}

extern "C" int verify_mma(const struct kernel_case *c,
                          const struct kernel_env *env, void *const *buf,
                          void *)
{
    const draft d = draft_of(c, buf);

    return EIGHT_TO_32(d, start, d, env, buf[VERIFY_SCRATCH]);
}

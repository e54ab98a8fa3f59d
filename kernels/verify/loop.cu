/*
 * verify/loop - a call for each token of the draft.
 *
 * o = softmax(scale q K') V for each head of each new token, over the keys that
 * the token sees.
 *
 * Attention of one new token is what decoding has a kernel for, and T calls of
 * it verify a draft of T tokens. This is the baseline: decode/last as it is,
 * but that each call leaves out the keys of other branches. Each warp copies
 * ahead with cp.async, pieces of 512 keys have a block each, and the last block
 * of a row joins them. Queries are columns of a product, as in decode/swap, so
 * half of eight are nobody's.
 *
 * Every call reads the whole cache. The second one finds it in the L2 if it
 * fits: 50 MB of an H200 hold three sequences of 4096 keys.
 *
 * Predicts: memory is the limit. Four tokens take 3.8 to 4.1 times as long as
 * one with 32 sequences of 4096 keys, and 2.4 to 3.8 times with one sequence.
 */
#include "kernels/verify/pieces.cuh"

// ANCHOR: inner
/* Row n of the token's: the queries of a group of heads. */
static __device__ __forceinline__ struct row row_of_token(const draft &d, int n,
                                                          int token)
{
    attention one = d.a;

    one.heads /= d.tokens;
    struct row r = row_of(one, n, 8);

    r.first += (r.head * (d.tokens - 1) + token) * (one.heads / one.kv);
    return r;
}

static __global__ void __launch_bounds__(BESIDE, TOGETHER)
    loop(struct draft d, pieces p, int token)
{
    extern __shared__ __align__(128) char raw[];

    attend_piece<8>(raw, d, row_of_token(d, blockIdx.y, token), p);
}
// ANCHOR_END: inner

/* A draft of one token, as far as sizes go. */
static draft one_of(draft d)
{
    d.a.heads /= d.tokens;
    return d;
}

extern "C" size_t verify_loop_scratch(const struct kernel_case *c,
                                      const struct kernel_env *)
{
    const draft one = one_of(draft_sizes(c));

    return pieces_bytes(one, cut_by(one, SPAN));
}

extern "C" int verify_loop(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *)
{
    const draft d = draft_of(c, buf), one = one_of(d);
    const cut by = cut_by(d, SPAN);
    const pieces p = pieces_at(one, by, buf[VERIFY_SCRATCH]);
    const int error = with_room(loop, shared_for<8>);

    for (int t = 0; t < d.tokens && !error; t++)
        loop<<<blocks_for(one, by), BESIDE, shared_for<8>,
               (cudaStream_t)env->stream>>>(d, p, t);
    return error ? error : cudaGetLastError();
}

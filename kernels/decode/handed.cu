/*
 * decode/handed - other warps end a piece.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * decode/drawn lost, because the warps that multiply end each piece, too: they
 * join their sums, write them, count, and wait for the L2 meanwhile. That takes
 * some two microseconds. A piece of four tiles takes four, and six slots fill
 * up behind it.
 *
 * Here they put their sums into shared memory, arrive at a barrier and go on
 * with the next piece. Four other warps join, write and count. They have as
 * long as the piece after that takes. So the cost of an end is a few hundred
 * clocks, and pieces may be as short as those of decode/last. The SMs that read
 * faster draw more of them: in the scan these are 24 of 132, by a fifth.
 *
 * Tiles are those of decode/whole, six slots of them, and the rest is
 * decode/drawn (kernels/decode/handed.cuh).
 *
 * Predicts: memory is the limit. 1.04 to 1.14 times decode/waves with 32
 * sequences of 8192 keys, 4.2 to 4.6 TB/s, and 1.25 times decode/drawn or more
 * with eight.
 */
#include "kernels/decode/handed.cuh"

template <int ROWS>
static __global__ void __launch_bounds__(ALL, 1)
    handed(struct attention a, cut c, common to)
{
    extern __shared__ __align__(128) char raw[];

    draw_pieces<ROWS, false, false>(raw, a, c, to);
}

template <int ROWS>
static int start(const attention &a, const struct kernel_env *env,
                 void *scratch)
{
    const cut c = cut_for(a, env->sms);
    const int error = with_room(handed<ROWS>, shared_for<ROWS>);
    const int blocks = c.all < env->sms ? c.all : env->sms;
    const cudaStream_t stream = (cudaStream_t)env->stream;

    if (error)
        return error;
    handed<ROWS><<<blocks, ALL, shared_for<ROWS>, stream>>>(
        a, c, common_at<ROWS>(c, scratch));
    return cudaGetLastError();
}

extern "C" size_t decode_handed_scratch(const struct kernel_case *c,
                                        const struct kernel_env *env)
{
    return common_bytes(c, env);
}

extern "C" int decode_handed(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const struct attention a = attention_of(c, buf);

    return few_heads(a) ? start<8>(a, env, buf[DECODE_SCRATCH])
                        : start<16>(a, env, buf[DECODE_SCRATCH]);
}

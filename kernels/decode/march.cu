/*
 * decode/march - what gained, together: drawn pieces that walk abreast, and a
 * launch that overlaps with the kernel before.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * decode/handed draws pieces of 512 keys and ends them beside the next. Here a
 * piece has every sixteenth tile of its row, so blocks that have drawn pieces
 * of one row read one place (decode/abreast). And the call begins while the
 * kernel before ends (decode/early): a block asks for the first six tiles, but
 * one with a last key, and draws its next piece only when that kernel is done,
 * because counters are those of the calls before, too.
 *
 * Predicts: memory is the limit. 4.35 to 4.7 TB/s with 32 sequences of 8192
 * keys, which cuDNN reads at 4.54, and 3.95 or more with eight.
 */
#include "kernels/decode/handed.cuh"

template <int ROWS>
static __global__ void __launch_bounds__(ALL, 1)
    march(struct attention a, cut c, common to)
{
    extern __shared__ __align__(128) char raw[];

    ptx_next_kernel_may_start();
    draw_pieces<ROWS, true, true>(raw, a, c, to);
}

template <int ROWS>
static int start(const attention &a, const struct kernel_env *env,
                 void *scratch)
{
    const cut c = cut_for(a, env->sms);
    const int error = with_room(march<ROWS>, shared_for<ROWS>);
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute with = {};

    if (error)
        return error;
    with.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    with.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = dim3(c.all < env->sms ? c.all : env->sms);
    config.blockDim = dim3(ALL);
    config.dynamicSmemBytes = shared_for<ROWS>;
    config.stream = (cudaStream_t)env->stream;
    config.attrs = &with;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, march<ROWS>, a, c,
                              common_at<ROWS>(c, scratch));
}

extern "C" size_t decode_march_scratch(const struct kernel_case *c,
                                       const struct kernel_env *env)
{
    return common_bytes(c, env);
}

extern "C" int decode_march(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *)
{
    const struct attention a = attention_of(c, buf);

    return few_heads(a) ? start<8>(a, env, buf[DECODE_SCRATCH])
                        : start<16>(a, env, buf[DECODE_SCRATCH]);
}

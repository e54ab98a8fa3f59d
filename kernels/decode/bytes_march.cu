/*
 * decode/bytes_march - decode/march with keys and values in FP8.
 *
 * o = softmax(scale q K') V for each head of each sequence; K and V are e4m3.
 *
 * decode/bytes has an even share for every SM and waits for the slowest, as
 * decode/waves does. Here SMs draw pieces, others end them, and a call begins
 * while the one before ends. A tile has 128 keys, a warp has 32 of them, and a
 * lane reads 16 elements of a key or value at once. Sums are taken over
 * elements and keys in the order in which lanes have them, so that conversion
 * needs one prmt for two words of values, and none for keys.
 *
 * Predicts: memory is the limit. 1.03 to 1.12 times the bandwidth of
 * decode/bytes with 32 sequences of 8192 keys, 3.9 to 4.25 TB/s.
 */
#define DECODE_BYTES

#include "kernels/decode/handed.cuh"

template <int ROWS>
static __global__ void __launch_bounds__(ALL, 1)
    bytes_march(struct attention a, cut c, common to)
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
    const int error = with_room(bytes_march<ROWS>, shared_for<ROWS>);
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
    return cudaLaunchKernelEx(&config, bytes_march<ROWS>, a, c,
                              common_at<ROWS>(c, scratch));
}

extern "C" size_t decode_bytes_march_scratch(const struct kernel_case *c,
                                             const struct kernel_env *env)
{
    return common_bytes(c, env);
}

extern "C" int decode_bytes_march(const struct kernel_case *c,
                                  const struct kernel_env *env,
                                  void *const *buf, void *)
{
    const struct attention a = attention_of(c, buf);

    return few_heads(a) ? start<8>(a, env, buf[DECODE_SCRATCH])
                        : start<16>(a, env, buf[DECODE_SCRATCH]);
}

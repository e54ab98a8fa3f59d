/*
 * kernels/decode/scaled.cuh - the host's part of decode/bytes_token and
 * decode/bytes_page. Who includes it has defined DECODE_BYTES and DECODE_SCALED
 * (kernels/decode/scales.cuh).
 */
#ifndef KERNELS_DECODE_SCALED_CUH
#define KERNELS_DECODE_SCALED_CUH

#include "kernels/decode/handed.cuh"

static inline scaled scaled_of(const struct kernel_case *c, void *const *buf)
{
    const struct cache_shape s = decode_shape(c);

    return {attention_of(c, buf), (const float2 *)buf[DECODE_SCALES],
            scales_pitch(&s, DECODE_SCALED)};
}

/* Launches a kernel for groups of ROWS heads at most. */
template <int ROWS>
static int start_scaled(void (*kernel)(struct scaled, cut, common),
                        const scaled &a, const struct kernel_env *env,
                        void *scratch)
{
    const cut c = cut_for(a, env->sms);
    const int error = with_room(kernel, shared_for<ROWS>);
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
    return cudaLaunchKernelEx(&config, kernel, a, c,
                              common_at<ROWS>(c, scratch));
}

#endif

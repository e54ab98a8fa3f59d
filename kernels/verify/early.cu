/*
 * verify/early - keys are asked for while the kernel before ends.
 *
 * o = softmax(scale q K') V for each head of each new token, over the keys that
 * the token sees.
 *
 * In verify/joint memory is idle while a call begins, while its blocks wait for
 * each other, and while they join. A draft makes the last of these longer.
 *
 * Two blocks of this kernel fit an SM, and a call whose blocks wait has one for
 * each at most, so there is room for the next call's. Here they begin while the
 * kernel before ends (programmatic dependent launch, kernels/ptx.cuh). A block
 * asks for its first two tiles, 64 KB, and waits for the end of that kernel
 * before it reads queries. It waits first if one of the tiles has a key of the
 * draft, which the kernel before has made.
 *
 * The gain lies between two kernels: timed alone, on an idle device, this is
 * verify/joint. Records time such kernels in a row.
 *
 * Predicts: latency is the limit of one short sequence. 0.6 to 0.9 of the time
 * of verify/joint with one sequence of 4096 keys and four tokens. 3.4 TB/s or
 * more with one of 32768 keys.
 */
#include "kernels/verify/joint.cuh"

// ANCHOR: inner
template <int ROWS>
static __global__ void __launch_bounds__(BESIDE, TOGETHER)
    early(struct draft d, pieces p)
{
    extern __shared__ __align__(128) char raw[];

    ptx_next_kernel_may_start();
    attend_jointly<ROWS>(raw, d, p, [] { ptx_wait_for_last_kernel(); });
}
// ANCHOR_END: inner

template <int ROWS>
static int start(const draft &d, const struct kernel_env *env, void *scratch)
{
    const cut by = cut_for_wave(d, env->sms);
    const int error = with_room(early<ROWS>, shared_for<ROWS>);
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute with = {};

    if (error)
        return error;
    with.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    with.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = blocks_for(d, by);
    config.blockDim = dim3(BESIDE);
    config.dynamicSmemBytes = shared_for<ROWS>;
    config.stream = (cudaStream_t)env->stream;
    config.attrs = &with;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, early<ROWS>, d,
                              pieces_at(d, by, scratch));
}

extern "C" size_t verify_early_scratch(const struct kernel_case *c,
                                       const struct kernel_env *env)
{
    const draft d = draft_sizes(c);

    return pieces_bytes(d, cut_for_wave(d, env->sms));
}

extern "C" int verify_early(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *)
{
    const draft d = draft_of(c, buf);

    return EIGHT_TO_32(d, start, d, env, buf[VERIFY_SCRATCH]);
}

/*
 * decode/eager - small blocks start where the kernel before has left room.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * decode/early lets one lasting block on each SM ask for tiles while the kernel
 * before ends. Its SMs are then idle or busy all at once. The blocks of
 * decode/abreast end one by one, and the last of them leave more and more SMs
 * idle: 264 places do not divide 4096 blocks, and blocks of a wave drift apart.
 *
 * Here these places belong to the next kernel's blocks (programmatic dependent
 * launch, kernels/ptx.cuh). A block asks for its first two tiles, 64 KB, and
 * waits for the end of the kernel before. It waits first if one of them has the
 * last key, which that kernel has made. So the end of a call hides the
 * beginning of the next one, and memory goes on.
 *
 * The gain lies between two kernels: timed alone, on an idle device, it is
 * decode/abreast. Records time such kernels in a row.
 *
 * Predicts: memory is the limit. 3 to 9 microseconds less than decode/abreast
 * with 32 sequences of 8192 keys, and as many with eight, which is 1.04 to 1.13
 * times as fast: 3.9 TB/s or more.
 */
#include "kernels/decode/abreast.cuh"

template <int ROWS>
static __global__ void __launch_bounds__(THREADS, 2)
    eager(struct attention a, pieces p)
{
    extern __shared__ __align__(128) char raw[];

    ptx_next_kernel_may_start();
    const struct row r = row_of(a, blockIdx.y, ROWS);
    const int keys = a.where[r.sequence], parts = splits_of(keys);

    if ((int)blockIdx.x >= parts)
        return;
    finish_piece(a, r,
                 attend_abreast<ROWS>(raw, a, r, keys, blockIdx.x, parts,
                                      [] { ptx_wait_for_last_kernel(); }),
                 p);
}

template <int ROWS>
static int start(const attention &a, void *scratch, cudaStream_t to)
{
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute with = {};
    const int error = with_room(eager<ROWS>, SHARED);

    if (error)
        return error;
    with.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    with.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim =
        dim3(splits_of(a.l), a.b * a.kv * blocks_of_group(a, ROWS));
    config.blockDim = dim3(THREADS);
    config.dynamicSmemBytes = SHARED;
    config.stream = to;
    config.attrs = &with;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, eager<ROWS>, a,
                              pieces_at<ROWS>(a, scratch));
}

extern "C" size_t decode_eager_scratch(const struct kernel_case *c,
                                       const struct kernel_env *)
{
    return pieces_scratch(c);
}

extern "C" int decode_eager(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *)
{
    const struct attention a = attention_of(c, buf);

    return few_heads(a)
               ? start<8>(a, buf[DECODE_SCRATCH], (cudaStream_t)env->stream)
               : start<16>(a, buf[DECODE_SCRATCH], (cudaStream_t)env->stream);
}

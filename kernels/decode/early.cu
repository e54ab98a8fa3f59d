/*
 * decode/early - the kernel begins while the one before ends.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * A decoder runs one kernel after another. Between two there are an end, a gap
 * and a start, in which memory idles: some microseconds, of which one sequence
 * has few. But most of what this kernel reads does not depend on the kernel
 * before. That one has made the queries, and the last key and value of each
 * sequence; all others are older.
 *
 * So a block starts when an SM has room for it (programmatic dependent launch,
 * kernels/ptx.cuh), looks up its share and asks for tiles, six of them ahead.
 * It waits for the end of the kernel before only for a tile with a last key.
 * Those that multiply wait for it before they read queries, too. It is
 * decode/waves otherwise.
 *
 * The gain lies between two kernels: timed alone, on an idle device, it is
 * decode/waves. Records time such kernels in a row.
 *
 * Predicts: latency is still the limit of one sequence of 1024 keys. 1 to 2.5
 * microseconds less than decode/waves.
 */
#include "kernels/decode/share.cuh"

template <int ROWS>
static __global__ void __launch_bounds__(THREADS, 1)
    early(struct attention a, const __grid_constant__ maps m, left to)
{
    extern __shared__ char raw[];

    ptx_next_kernel_may_start();
    const room<slots_beside<ROWS>, ROWS> now(raw);
    const struct share s = share_of<ROWS>(a);

    // ANCHOR: inner
    if (!fetches())
        ptx_wait_for_last_kernel(); /* queries, and places for sums */
    each_row<ROWS>(a, s, [&](const struct place &p, int n, int count) {
        if (!fetches()) {
            multiply_row<held>(a, now, s, to, p, n, count);
            return;
        }
        const struct row r =
            row_of(a, p.sequence * rows_of<ROWS>(a) + p.row, ROWS);
        const int first = (int)(keys_of(a, r) / DEEP) + p.tile * SIDE;

        for (int i = 0; i < n; i++) {
            if (p.tile + i == p.tiles - 1)
                ptx_wait_for_last_kernel(); /* it has made the last key */
            ask<SIDE>(now, m, count + i, 1, {first + i * SIDE});
        }
    });
    // ANCHOR_END: inner
}

template <int ROWS>
static int start(const attention &a, const maps &m,
                 const struct kernel_env *env, void *scratch)
{
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute with = {};
    int error;

    with.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    with.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = dim3(env->sms);
    config.blockDim = dim3(THREADS);
    config.dynamicSmemBytes = room<slots_beside<ROWS>, ROWS>::SHARED;
    config.stream = (cudaStream_t)env->stream;
    config.attrs = &with;
    config.numAttrs = 1;
    error = with_room(early<ROWS>, (int)config.dynamicSmemBytes);
    return error ? error
                 : cudaLaunchKernelEx(&config, early<ROWS>, a, m,
                                      left_at<ROWS>(env->sms, scratch));
}

extern "C" size_t decode_early_scratch(const struct kernel_case *c,
                                       const struct kernel_env *env)
{
    return left_scratch(c, env);
}

extern "C" const char *decode_early_prepare(const struct kernel_case *c,
                                            const struct kernel_env *,
                                            void *const *buf, void **state)
{
    return maps_open(c, buf, state);
}

extern "C" int decode_early(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *state)
{
    const struct attention a = attention_of(c, buf);
    const maps &m = *(const maps *)state;
    void *const scratch = buf[DECODE_SCRATCH];

    return few_heads(a) ? start<8>(a, m, env, scratch)
                        : start<16>(a, m, env, scratch);
}

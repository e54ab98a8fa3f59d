/*
 * step/stream - one decode step as kernels of a stream.
 *
 * A layer is eleven kernels: norm, the product for queries, keys and values,
 * RoPE and append; attention; the product with W_o, the residual; norm, the
 * product for gate and up, SiLU; the product down, the residual. With one
 * sequence a product is a matrix times a vector, so a warp has two rows, and a
 * lane asks for sixteen times 16 bytes at once. With more, tensor cores
 * multiply.
 *
 * Weights are read once, and nothing is read twice, so the time of a token is
 * that of 15 GB. What is left to lose is between kernels: each of 354 has an
 * end, in which few SMs still read, a gap, and a beginning.
 *
 * Predicts: 4.1 to 4.6 ms with one sequence. Big products read at 90 % of peak
 * and take 3.6 ms; the rest is 1.5 to 3 microseconds for each kernel's
 * beginning and end.
 */
#include "kernels/step/result.cuh"

struct stream_way {
    static constexpr bool OVERLAP = false, AHEAD = false, FUSED = false;
};

extern "C" size_t step_stream_scratch(const struct kernel_case *c,
                                      const struct kernel_env *env)
{
    const struct step_shape s = step_shape(c);

    return chain_bytes(&s, env->sms);
}

extern "C" const char *step_stream_prepare(const struct kernel_case *c,
                                           const struct kernel_env *,
                                           void *const *buf, void **state)
{
    *state = result_new(c, buf);
    return NULL;
}

// ANCHOR: inner
extern "C" int step_stream(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *)
{
    return chain_enqueue<stream_way>(
        chain_of(c, env, buf, (cudaStream_t)env->stream));
}
// ANCHOR_END: inner

extern "C" void step_stream_release(void *state)
{
    result_free(state);
}

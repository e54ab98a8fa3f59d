/*
 * step/words - results that carry their own flag.
 *
 * In step/persistent a stage ends with four journeys to the L2, one after the
 * other: results are flushed, the block is counted, the count is looked at,
 * and the vector is fetched. While memory is busy each takes a microsecond or
 * more. The slots hold what comes in 5.8.
 *
 * Here a pair of results and the number of its layer are one word of 64 bits.
 * A thread asks for the words of its part of the vector until their number is
 * right, and has the results with that: two journeys. No barrier is left, so a
 * warp without work does not wait for others either: it waits for the vector.
 *
 * Predicts: 3 to 8 % less time than step/persistent, 3.75 to 4.0 ms: of 160
 * gaps each is 1 to 2 microseconds shorter.
 */
#include "kernels/step/words.cuh"

// ANCHOR: step
/* The whole step. */
template <int G>
static __global__ void __launch_bounds__(STAY_THREADS, 1)
    words_step(const __grid_constant__ words x)
{
    extern __shared__ __align__(128) char raw[];
    stay_shared *const s = (stay_shared *)raw;
    const stay &w = x.w;
    const int hidden = w.rows[0].k, ffn = w.rows[STEP_IS_X].k;
    const float shrink = w.rows[0].shrink;
    const uint32_t first = x.steps[blockIdx.x];
    uint32_t tag = first; /* of the layer before */
    stay_state z = {};

    stay_begin(z, w, s);
    for (int layer = 0; layer < w.layers; layer++, tag++) {
        const size_t left = layer * w.left;
        const uint16_t *const input = layer ? nullptr : w.input;
        const uint16_t *const gain = w.rows[0].gain + 2 * layer * hidden;
        const words_turn turn = {x.qkv, w.q + left, tag + 1, w.heads + w.t.kv,
                                 w.t.past};
        const words_add o = {x.y, w.y + left, tag + 1, x.x, tag, input};
        const words_gate up = {x.act, w.act + left, tag + 1};
        const words_add down = {x.x, w.x + left, tag + 1,
                                x.y, tag + 1,    nullptr};

        if (words_work(z.base, w.rows[STEP_IS_QKV].n / 2))
            words_norm(s, x.x, tag, input, gain, hidden, shrink);
        stay_product(z, w, s, STEP_IS_QKV, turn);
        words_attend<G>(z, x, s, left, tag + 1);
        if (words_work(z.base, hidden / 2))
            words_copy(s, x.a, tag + 1, hidden);
        stay_product(z, w, s, STEP_IS_Y, o);
        if (words_work(z.base, ffn))
            words_norm(s, x.y, tag + 1, nullptr, gain + hidden, hidden, shrink);
        stay_product(z, w, s, STEP_IS_ACT, up);
        if (words_work(z.base, hidden / 2))
            words_act(s, x.act, tag + 1, ffn);
        stay_product(z, w, s, STEP_IS_X, down);
    }
    if (words_work(z.base, w.rows[STAY_VOCABULARY].n / 2))
        words_norm(s, x.x, tag, nullptr, w.rows[0].gain + 2 * w.layers * hidden,
                   hidden, shrink);
    stay_product(z, w, s, STAY_VOCABULARY,
                 stay_plain<end_store>{{w.logits, w.rows[STAY_VOCABULARY].n}});
    __syncthreads(); /* all threads have read where the block began */
    if (threadIdx.x == 0)
        x.steps[blockIdx.x] = tag;
}
// ANCHOR_END: step

typedef void words_kernel(const words);

static words_kernel *kernel_for(const struct step_shape *s)
{
    const int group = s->heads / s->kv;

    return group == 1   ? words_step<1>
           : group == 2 ? words_step<2>
                        : words_step<4>;
}

extern "C" size_t step_words_scratch(const struct kernel_case *c,
                                     const struct kernel_env *env)
{
    const struct step_shape s = step_shape(c);

    return words_bytes(&s, env->sms);
}

extern "C" const char *step_words_prepare(const struct kernel_case *c,
                                          const struct kernel_env *,
                                          void *const *buf, void **state)
{
    const struct step_shape s = step_shape(c);

    return stay_prepare(kernel_for(&s), c, buf, state);
}

extern "C" int step_words(const struct kernel_case *c,
                          const struct kernel_env *env, void *const *buf,
                          void *)
{
    const struct step_shape s = step_shape(c);

    return stay_launch(kernel_for(&s), words_of(c, env->sms, buf), STAY_THREADS,
                       env->sms, (cudaStream_t)env->stream);
}

extern "C" void step_words_release(void *state)
{
    result_free(state);
}

/*
 * step/persistent - one kernel that stays, and never stops reading.
 *
 * Between two kernels memory has nothing to do: the last blocks of one end, the
 * first of the next ask for bytes, and these take a microsecond to come. A step
 * has 161 such places. step/pdl and step/ahead make them shorter, but a block
 * that waits has only its registers, or the L2, to keep bytes in.
 *
 * Here 132 blocks stay for the whole step, and wait for each other where a
 * kernel would end. While they wait, bulk copies fill 192 KiB of slots in each
 * SM with weights and keys of the next stage: at 4.4 TB/s that takes almost 6
 * microseconds, longer than blocks need to meet and to fetch the vector. So
 * memory does not notice that stages end.
 *
 * Only one sequence: its vector of 28 KiB leaves room for the slots.
 *
 * Predicts: 3.50 to 3.75 ms, 86 to 92 % of the bus, limited by memory; 1.15
 * times the speed of step/torch_compile or more.
 */
#include "kernels/step/persistent.cuh"

template <int G>
static __device__ inline void attend_layer(stay_state &z, const stay &w,
                                           stay_shared *s, size_t left)
{
    const size_t row = stay_row(w);
    attend t = w.t;
    attend_lane<G> x;

    if ((int)row >= t.kv)
        return;
    t.k += left;
    t.v += left;
#pragma unroll
    for (int g = 0; g < G; g++)
        stay_query<G>(x, g,
                      eight(t.q + left + (row * G + g) * STEP_DEEP +
                            stay_lane() % ATTEND_LANES * WIDTH));
    stay_attend<G>(
        x, z, w, s, [&](attend_lane<G> &lane) { attend_page<G>(lane, t, row); },
        [&](uint2 two) {
            *(uint2 *)(t.a + left + (row * G + stay_warp()) * STEP_DEEP +
                       stay_lane() * 4) = two;
        });
}

// ANCHOR: step
/* The whole step. */
template <int G>
static __global__ void __launch_bounds__(STAY_THREADS, 1)
    stay_step(const __grid_constant__ stay w)
{
    extern __shared__ __align__(128) char raw[];
    stay_shared *const s = (stay_shared *)raw;
    const int hidden = w.rows[0].k, ffn = w.rows[STEP_IS_X].k;
    const float shrink = w.rows[0].shrink;
    uint4 own[STAY_GAINS] = {};
    stay_state z = {};

    stay_begin(z, w, s);
    if (threadIdx.x == BARRIER_LOOKER)
        z.turn = barrier_begin(w.count);
    stay_meet(z, w, own, w.rows[0].gain, hidden);
    for (int layer = 0; layer < w.layers; layer++) {
        const size_t left = layer * w.left;
        const uint16_t *const x = layer ? w.x + left - w.left : w.input;
        const uint16_t *const gain = w.rows[0].gain + 2 * layer * hidden;
        const end_turn turn = {w.q + left, w.k + left, w.v + left,
                               w.heads,    w.t.kv,     w.t.past};
        const end_add o = {w.y + left, x, hidden};
        const end_gate up = {w.act + left, ffn};
        const end_add down = {w.x + left, w.y + left, hidden};

        stay_norm(s, x, hidden, shrink, own);
        stay_product(z, w, s, STEP_IS_QKV, stay_plain<end_turn>{turn});
        stay_meet(z, w, own, nullptr, 0);
        attend_layer<G>(z, w, s, left);
        stay_meet(z, w, own, gain + hidden, hidden);
        stay_copy(s, w.t.a + left, hidden);
        stay_product(z, w, s, STEP_IS_Y, stay_plain<end_add>{o});
        stay_meet(z, w, own, nullptr, 0);
        stay_norm(s, w.y + left, hidden, shrink, own);
        stay_product(z, w, s, STEP_IS_ACT, stay_plain<end_gate>{up});
        stay_meet(z, w, own, gain + 2 * hidden, hidden);
        stay_copy(s, w.act + left, ffn);
        stay_product(z, w, s, STEP_IS_X, stay_plain<end_add>{down});
        stay_meet(z, w, own, nullptr, 0);
    }
    stay_norm(s, w.x + (w.layers - 1) * w.left, hidden, shrink, own);
    stay_product(z, w, s, STAY_VOCABULARY,
                 stay_plain<end_store>{{w.logits, w.rows[STAY_VOCABULARY].n}});
}
// ANCHOR_END: step

typedef void stay_kernel(const stay);

static stay_kernel *kernel_for(const struct step_shape *s)
{
    const int group = s->heads / s->kv;

    return group == 1 ? stay_step<1> : group == 2 ? stay_step<2> : stay_step<4>;
}

extern "C" size_t step_persistent_scratch(const struct kernel_case *c,
                                          const struct kernel_env *env)
{
    const struct step_shape s = step_shape(c);

    return stay_bytes(&s, env->sms);
}

extern "C" const char *step_persistent_prepare(const struct kernel_case *c,
                                               const struct kernel_env *,
                                               void *const *buf, void **state)
{
    const struct step_shape s = step_shape(c);

    if (cudaFuncSetAttribute(kernel_for(&s),
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             sizeof(struct stay_shared)))
        return "no room for the slots in shared memory";
    *state = result_new(c, buf);
    return NULL;
}

extern "C" int step_persistent(const struct kernel_case *c,
                               const struct kernel_env *env, void *const *buf,
                               void *)
{
    const struct step_shape s = step_shape(c);

    return stay_launch(kernel_for(&s), stay_of(c, env->sms, buf), env->sms,
                       (cudaStream_t)env->stream);
}

extern "C" void step_persistent_release(void *state)
{
    result_free(state);
}

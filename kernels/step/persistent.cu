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
static __global__ void __launch_bounds__(STAY_THREADS, 1)
    persistent_step(const __grid_constant__ stay w)
{
    extern __shared__ __align__(128) char raw[];

    stay_block<G>(w, raw);
}

typedef void stay_kernel(const stay);

static stay_kernel *kernel_for(const struct step_shape *s)
{
    const int group = s->heads / s->kv;

    return group == 1   ? persistent_step<1>
           : group == 2 ? persistent_step<2>
                        : persistent_step<4>;
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

    return stay_prepare(kernel_for(&s), c, buf, state);
}

extern "C" int step_persistent(const struct kernel_case *c,
                               const struct kernel_env *env, void *const *buf,
                               void *)
{
    const struct step_shape s = step_shape(c);

    return stay_launch(kernel_for(&s), stay_of(c, env->sms, buf), STAY_THREADS,
                       env->sms, (cudaStream_t)env->stream);
}

extern "C" void step_persistent_release(void *state)
{
    result_free(state);
}

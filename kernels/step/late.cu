/*
 * step/late - the norm's factor comes last.
 *
 * In step/fused each block of a product computes the norm before it multiplies:
 * it fetches the vector, adds up squares, meets at two barriers, and writes
 * 8 KB to shared memory. That is some two microseconds in the life of a block
 * that reads 64 KB, and only other blocks of the SM read meanwhile. gemv/row
 * has the same loop without a norm: it reads W_vocab at 4.6 TB/s, where the
 * last product of step/fused gets about 4.1.
 *
 * But a norm is a factor and gains. Each lane multiplies by g x, and adds up
 * the squares of its x. The factor is known when the products are, and nobody
 * waits for it.
 *
 * Predicts: 3 to 7 % less time than step/fused: 3.75 to 3.9 ms.
 */
#include "kernels/step/late.cuh"

struct late_way : late_ways {
};

template <>
int chain_product<late_way>(const chain &x, product_rows r, const end_turn &end)
{
    return late_product<-1>(x, r, end);
}

template <>
int chain_product<late_way>(const chain &x, product_rows r, const end_add &end)
{
    return late_product<-1>(x, r, end);
}

template <>
int chain_product<late_way>(const chain &x, product_rows r, const end_gate &end)
{
    return late_product<-1>(x, r, end);
}

template <>
int chain_product<late_way>(const chain &x, product_rows r,
                            const end_store &end)
{
    return late_product<-1>(x, r, end);
}

extern "C" size_t step_late_scratch(const struct kernel_case *c,
                                    const struct kernel_env *env)
{
    const struct step_shape s = step_shape(c);

    return chain_bytes(&s, env->sms);
}

extern "C" const char *step_late_prepare(const struct kernel_case *c,
                                         const struct kernel_env *env,
                                         void *const *buf, void **state)
{
    return result_graph<late_way>(c, env, buf, state);
}

extern "C" int step_late(const struct kernel_case *,
                         const struct kernel_env *env, void *const *,
                         void *state)
{
    return result_launch(env, state);
}

extern "C" void step_late_release(void *state)
{
    result_free(state);
}

/*
 * step/early - old keys are in shared memory before the query is known.
 *
 * Attention of one sequence has 16.8 MB to read in each layer, less than 4
 * microseconds, and takes 15 in step/late. A block asks for its keys when the
 * query has come, for eight of a warp at a time, and then for the next eight.
 * Rows are cut into 43 pieces, and the block that is last reads all of them
 * again to join them.
 *
 * Old keys are no kernel's output. So a warp here has 32 keys, asks for all of
 * them and their values by two bulk copies as soon as it comes in, and then
 * waits for the kernel before. Eight warps join in shared memory: a row has 16
 * pieces on 132 SMs.
 *
 * The blocks need 145 KB of shared memory. An SM that has to divide its memory
 * anew must be empty first, and then blocks could not come in early. So all
 * kernels of the step ask for the same division.
 *
 * Predicts: 4 to 8 % less time than step/late, 3.5 to 3.7 ms: 5 to 8
 * microseconds in each layer.
 */
#include "kernels/step/early.cuh"

enum {
    EARLY_CARVEOUT = 72 /* percent: 164 KB of 228 */
};

template <int G>
static __global__ void __launch_bounds__(STAY_THREADS, 1)
    early_pieces(const attend t)
{
    extern __shared__ __align__(128) char raw[];

    early_block<G>(t, (early_shared *)raw);
}

struct early_way : late_ways {
    template <int G> static auto pieces()
    {
        return early_pieces<G>;
    }
};

template <> int chain_attend<early_way>(const chain &x, const step_layer &l)
{
    return early_attend<early_way>(x, l, EARLY_CARVEOUT);
}

template <>
int chain_product<early_way>(const chain &x, product_rows r,
                             const end_turn &end)
{
    return late_product<EARLY_CARVEOUT>(x, r, end);
}

template <>
int chain_product<early_way>(const chain &x, product_rows r, const end_add &end)
{
    return late_product<EARLY_CARVEOUT>(x, r, end);
}

template <>
int chain_product<early_way>(const chain &x, product_rows r,
                             const end_gate &end)
{
    return late_product<EARLY_CARVEOUT>(x, r, end);
}

template <>
int chain_product<early_way>(const chain &x, product_rows r,
                             const end_store &end)
{
    return late_product<EARLY_CARVEOUT>(x, r, end);
}

extern "C" size_t step_early_scratch(const struct kernel_case *c,
                                     const struct kernel_env *env)
{
    const struct step_shape s = step_shape(c);

    return early_bytes(&s, env->sms);
}

extern "C" const char *step_early_prepare(const struct kernel_case *c,
                                          const struct kernel_env *env,
                                          void *const *buf, void **state)
{
    return result_graph<early_way>(c, env, buf, state);
}

extern "C" int step_early(const struct kernel_case *,
                          const struct kernel_env *env, void *const *,
                          void *state)
{
    return result_launch(env, state);
}

extern "C" void step_early_release(void *state)
{
    result_free(state);
}

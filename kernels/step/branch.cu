/*
 * step/branch - the branch alone keeps the loads in front of the wait.
 *
 * In step/held the wait of the first wave has an operand, made of the first and
 * the last load of a lane. So the loads stay in front of it. But the operand
 * also has to be there: a lane that has come in waits for its weights, and only
 * then for the kernel before. Where that kernel ends first, the lane asks for
 * the vector later than it could, by what is left of the weights' trip.
 *
 * Blocks behind the first wave have a plain wait there, on the other side of a
 * branch, and the loads stand in front of it, too. So I take the operand away
 * and leave the branch: both sides have the same plain wait. The compiler does
 * not join them, and the assembler moves no load across. In the machine code
 * all 16 loads of weights come first, then the branch and the wait, and then
 * the loads of the vector, while weights are still under way.
 *
 * Predicts: 0 to 1.5 % less time than step/held. Blocks that come in late, as
 * the last of the kernel before end, save up to one trip to the L2. Those that
 * were early have their weights, and lose and gain nothing.
 */
#include "kernels/step/branch.cuh"

template <int G>
static __global__ void __launch_bounds__(STAY_THREADS, 1)
    branch_pieces(const attend t)
{
    extern __shared__ __align__(128) char raw[];

    early_block<G>(t, (early_shared *)raw);
}

struct branch_way : late_ways {
    template <int G> static auto pieces()
    {
        return branch_pieces<G>;
    }
};

// ANCHOR: inner
template <bool NORM, class END>
static __global__ void __launch_bounds__(ONE_THREADS, ONE_BLOCKS)
    branch_vector(const product_rows r, const END end, int wave)
{
    late_pair<NORM>(r, end, [wave](uint32_t) { branch_wait(wave); });
}
// ANCHOR_END: inner

template <class END>
static int branch_product(const chain &x, const product_rows &r, const END &end)
{
    const auto kernel =
        r.gain ? branch_vector<true, END> : branch_vector<false, END>;

    return early_launch(x, kernel, branch_blocks(r), ONE_THREADS, 0,
                        BRANCH_CARVEOUT, r, end, branch_wave(x));
}

template <> int chain_attend<branch_way>(const chain &x, const step_layer &l)
{
    return early_attend<branch_way>(x, l, BRANCH_CARVEOUT);
}

template <>
int chain_product<branch_way>(const chain &x, product_rows r,
                              const end_turn &end)
{
    return branch_product(x, r, end);
}

template <>
int chain_product<branch_way>(const chain &x, product_rows r,
                              const end_add &end)
{
    return branch_product(x, r, end);
}

template <>
int chain_product<branch_way>(const chain &x, product_rows r,
                              const end_gate &end)
{
    return branch_product(x, r, end);
}

template <>
int chain_product<branch_way>(const chain &x, product_rows r,
                              const end_store &end)
{
    return branch_product(x, r, end);
}

extern "C" size_t step_branch_scratch(const struct kernel_case *c,
                                      const struct kernel_env *env)
{
    const struct step_shape s = step_shape(c);

    return early_bytes(&s, env->sms);
}

extern "C" const char *step_branch_prepare(const struct kernel_case *c,
                                           const struct kernel_env *env,
                                           void *const *buf, void **state)
{
    return result_graph<branch_way>(c, env, buf, state);
}

extern "C" int step_branch(const struct kernel_case *,
                           const struct kernel_env *env, void *const *,
                           void *state)
{
    return result_launch(env, state);
}

extern "C" void step_branch_release(void *state)
{
    result_free(state);
}

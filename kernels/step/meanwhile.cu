/*
 * step/meanwhile - memory reads the next weights while attention computes.
 *
 * Attention of one sequence reads 16.8 MB in each layer, less than 4
 * microseconds, and then computes and joins pieces for some 5 more. Blocks of
 * the product behind it ask for their weights before they wait, but few of them
 * are there. A thread of attention has 192 registers, a block 256 threads: that
 * leaves registers for one block of the product on an SM, where four fit. The
 * 132 that come in ask for 4.3 MB, and then memory idles.
 *
 * Here they also ask the L2 for weights that are loaded later: the second
 * half of each row, of all 512 blocks. That is 16.8 MB, one bulk prefetch for a
 * row. The first halves need no prefetch: a block loads them as it comes in.
 * step/ahead asked for what the same block loaded in the next breath, and so
 * doubled the requests at the busiest time. These come while memory idles, and
 * what they bring is used microseconds later. Other products are as before.
 *
 * Predicts: 0.5 to 2.2 % less time than step/branch: 0.7 to 2.6 of the 3.6
 * microseconds that these bytes take, in each of 32 layers.
 */
#include "kernels/step/branch.cuh"

template <int G>
static __global__ void __launch_bounds__(STAY_THREADS, 1)
    meanwhile_pieces(const attend t)
{
    extern __shared__ __align__(128) char raw[];

    early_block<G>(t, (early_shared *)raw);
}

struct meanwhile_way : late_ways {
    template <int G> static auto pieces()
    {
        return meanwhile_pieces<G>;
    }
};

// ANCHOR: inner
template <bool NORM, class END>
static __global__ void __launch_bounds__(ONE_THREADS, ONE_BLOCKS)
    meanwhile_vector(const product_rows r, const END end, int wave,
                     const branch_asks asks)
{
    late_pair<NORM>(r, end, [&](uint32_t) {
        branch_ask(r, asks);
        branch_wait(wave);
    });
}
// ANCHOR_END: inner

template <class END>
static int meanwhile_product(const chain &x, const product_rows &r,
                             const END &end, const branch_asks &asks)
{
    const auto kernel =
        r.gain ? meanwhile_vector<true, END> : meanwhile_vector<false, END>;

    return early_launch(x, kernel, branch_blocks(r), ONE_THREADS, 0,
                        BRANCH_CARVEOUT, r, end, branch_wave(x), asks);
}

/* Behind attention one block on each SM is early, and asks for all. */
static branch_asks meanwhile_asks(const chain &x, const product_rows &r)
{
    if (r.k != x.m.s.hidden)
        return {0, 0, 0};
    return {x.sms, min(branch_blocks(r) / x.sms + 1, WARP / 2), x.sms};
}

template <> int chain_attend<meanwhile_way>(const chain &x, const step_layer &l)
{
    return early_attend<meanwhile_way>(x, l, BRANCH_CARVEOUT);
}

template <>
int chain_product<meanwhile_way>(const chain &x, product_rows r,
                                 const end_turn &end)
{
    return meanwhile_product(x, r, end, {0, 0, 0});
}

template <>
int chain_product<meanwhile_way>(const chain &x, product_rows r,
                                 const end_add &end)
{
    return meanwhile_product(x, r, end, meanwhile_asks(x, r));
}

template <>
int chain_product<meanwhile_way>(const chain &x, product_rows r,
                                 const end_gate &end)
{
    return meanwhile_product(x, r, end, {0, 0, 0});
}

template <>
int chain_product<meanwhile_way>(const chain &x, product_rows r,
                                 const end_store &end)
{
    return meanwhile_product(x, r, end, {0, 0, 0});
}

extern "C" size_t step_meanwhile_scratch(const struct kernel_case *c,
                                         const struct kernel_env *env)
{
    const struct step_shape s = step_shape(c);

    return early_bytes(&s, env->sms);
}

extern "C" const char *step_meanwhile_prepare(const struct kernel_case *c,
                                              const struct kernel_env *env,
                                              void *const *buf, void **state)
{
    return result_graph<meanwhile_way>(c, env, buf, state);
}

extern "C" int step_meanwhile(const struct kernel_case *,
                              const struct kernel_env *env, void *const *,
                              void *state)
{
    return result_launch(env, state);
}

extern "C" void step_meanwhile_release(void *state)
{
    result_free(state);
}

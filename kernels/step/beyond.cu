/*
 * step/beyond - blocks that wait ask for their second round of weights, too.
 *
 * Before it waits a block of step/branch asks for 8 KB of each warp's two rows
 * of 8 KB: half of them, as much as registers hold. As a kernel ends, its
 * blocks leave one by one, and each makes room for a block that reads half as
 * much and then waits. When the last block has left, most of these loads have
 * come. Until the first vector is there memory idles, for about 3 microseconds
 * of each kernel: that is what a step takes beyond its bytes.
 *
 * Here each block of the first wave also asks the L2 for its second round, 17
 * MB in all, or another 3.7 microseconds of memory. In step/ahead all blocks
 * did so, and for the first round, which they loaded at once. It was slower.
 * Here later blocks ask for nothing ahead, and nothing is asked for twice at
 * the same time. Behind attention the blocks ask as in step/meanwhile.
 *
 * Predicts: 1 to 4 % less time than step/meanwhile: 0.4 to 1.5 microseconds at
 * each of 97 products.
 */
#include "kernels/step/branch.cuh"

template <int G>
static __global__ void __launch_bounds__(STAY_THREADS, 1)
    beyond_pieces(const attend t)
{
    extern __shared__ __align__(128) char raw[];

    early_block<G>(t, (early_shared *)raw);
}

struct beyond_way : late_ways {
    template <int G> static auto pieces()
    {
        return beyond_pieces<G>;
    }
};

// ANCHOR: inner
template <bool NORM, class END>
static __global__ void __launch_bounds__(ONE_THREADS, ONE_BLOCKS)
    beyond_vector(const product_rows r, const END end, int wave,
                  const branch_asks asks)
{
    late_pair<NORM>(r, end, [&](uint32_t) {
        branch_ask(r, asks);
        branch_wait(wave);
    });
}
// ANCHOR_END: inner

template <class END>
static int beyond_product(const chain &x, const product_rows &r, const END &end,
                          const branch_asks &asks)
{
    const auto kernel =
        r.gain ? beyond_vector<true, END> : beyond_vector<false, END>;

    return early_launch(x, kernel, branch_blocks(r), ONE_THREADS, 0,
                        BRANCH_CARVEOUT, r, end, branch_wave(x), asks);
}

static branch_asks beyond_own(const chain &x)
{
    return {branch_wave(x), 1, 0};
}

/* Behind attention one block on each SM is early, and asks for all. */
static branch_asks beyond_all(const chain &x, const product_rows &r)
{
    if (r.k != x.m.s.hidden)
        return beyond_own(x);
    return {x.sms, min(branch_blocks(r) / x.sms + 1, WARP / 2), x.sms};
}

template <> int chain_attend<beyond_way>(const chain &x, const step_layer &l)
{
    return early_attend<beyond_way>(x, l, BRANCH_CARVEOUT);
}

template <>
int chain_product<beyond_way>(const chain &x, product_rows r,
                              const end_turn &end)
{
    return beyond_product(x, r, end, beyond_own(x));
}

template <>
int chain_product<beyond_way>(const chain &x, product_rows r,
                              const end_add &end)
{
    return beyond_product(x, r, end, beyond_all(x, r));
}

template <>
int chain_product<beyond_way>(const chain &x, product_rows r,
                              const end_gate &end)
{
    return beyond_product(x, r, end, beyond_own(x));
}

template <>
int chain_product<beyond_way>(const chain &x, product_rows r,
                              const end_store &end)
{
    return beyond_product(x, r, end, beyond_own(x));
}

extern "C" size_t step_beyond_scratch(const struct kernel_case *c,
                                      const struct kernel_env *env)
{
    const struct step_shape s = step_shape(c);

    return early_bytes(&s, env->sms);
}

extern "C" const char *step_beyond_prepare(const struct kernel_case *c,
                                           const struct kernel_env *env,
                                           void *const *buf, void **state)
{
    return result_graph<beyond_way>(c, env, buf, state);
}

extern "C" int step_beyond(const struct kernel_case *,
                           const struct kernel_env *env, void *const *,
                           void *state)
{
    return result_launch(env, state);
}

extern "C" void step_beyond_release(void *state)
{
    result_free(state);
}

/*
 * step/held - weights are loaded before the wait for the kernel before.
 *
 * In step/early a lane asks for sixteen times 16 bytes of weights, and then
 * waits for the kernel before: so the source says. The assembler turns it
 * around. Nothing that comes before the wait uses what was loaded, so it moves
 * the loads behind, and blocks that came in early wait with nothing under way.
 *
 * Here the wait has an operand that comes from the first and the last load.
 * What the instruction does is the same whatever its value is, but the loads
 * have to be before it. Only blocks of the first wave do so. Those after them
 * come in when the kernel before has long ended, and would only ask for the
 * vector later than they could.
 *
 * Predicts: 3 to 8 % less time than step/early. Of 161 kernels each has some
 * two microseconds in which its first weights are on their way, and the memory
 * still has work while the last blocks of the kernel before add up.
 */
#include "kernels/step/early.cuh"

enum {
    HELD_CARVEOUT = 72 /* percent: 164 KB of 228, as in step/early */
};

template <int G>
static __global__ void __launch_bounds__(STAY_THREADS, 1)
    held_pieces(const attend t)
{
    extern __shared__ __align__(128) char raw[];

    early_block<G>(t, (early_shared *)raw);
}

struct held_way : late_ways {
    template <int G> static auto pieces()
    {
        return held_pieces<G>;
    }
};

// ANCHOR: wait
/* late_vector(), with the first weights before the wait in blocks [0, wave). */
template <bool NORM, class END>
static __global__ void __launch_bounds__(ONE_THREADS, ONE_BLOCKS)
    held_vector(const product_rows r, const END end, int wave)
{
    late_pair<NORM>(r, end, [wave](uint32_t loaded) {
        if ((int)blockIdx.x < wave)
            ptx_wait_for_last_kernel_after(loaded);
        else
            ptx_wait_for_last_kernel();
    });
}
// ANCHOR_END: wait

template <class END>
static int held_product(const chain &x, const product_rows &r, const END &end)
{
    const int blocks = (r.n / 2 + ONE_WARPS - 1) / ONE_WARPS;
    const int wave = ONE_BLOCKS * x.sms;

    return r.gain ? early_launch(x, held_vector<true, END>, blocks, ONE_THREADS,
                                 0, HELD_CARVEOUT, r, end, wave)
                  : early_launch(x, held_vector<false, END>, blocks,
                                 ONE_THREADS, 0, HELD_CARVEOUT, r, end, wave);
}

template <> int chain_attend<held_way>(const chain &x, const step_layer &l)
{
    return early_attend<held_way>(x, l, HELD_CARVEOUT);
}

template <>
int chain_product<held_way>(const chain &x, product_rows r, const end_turn &end)
{
    return held_product(x, r, end);
}

template <>
int chain_product<held_way>(const chain &x, product_rows r, const end_add &end)
{
    return held_product(x, r, end);
}

template <>
int chain_product<held_way>(const chain &x, product_rows r, const end_gate &end)
{
    return held_product(x, r, end);
}

template <>
int chain_product<held_way>(const chain &x, product_rows r,
                            const end_store &end)
{
    return held_product(x, r, end);
}

extern "C" size_t step_held_scratch(const struct kernel_case *c,
                                    const struct kernel_env *env)
{
    const struct step_shape s = step_shape(c);

    return early_bytes(&s, env->sms);
}

extern "C" const char *step_held_prepare(const struct kernel_case *c,
                                         const struct kernel_env *env,
                                         void *const *buf, void **state)
{
    return result_graph<held_way>(c, env, buf, state);
}

extern "C" int step_held(const struct kernel_case *,
                         const struct kernel_env *env, void *const *,
                         void *state)
{
    return result_launch(env, state);
}

extern "C" void step_held_release(void *state)
{
    result_free(state);
}

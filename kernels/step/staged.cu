/*
 * step/staged - with several sequences weights and keys go through slots.
 *
 * In step/fused a block of 32 rows reads all vectors from the L2: with 32
 * sequences as many bytes as its weights have. A warp loads weights to
 * registers, waits, then loads vectors, and waits again. It asks for its next
 * weights only when it has used these. So memory idles twice in each turn.
 * Attention computes on CUDA cores, which four heads keep as busy as memory.
 *
 * Here a thread of its own asks for both, five or six slots ahead: 160 to
 * 192 KB under way to each SM, where 4.4 TB/s need about 25. A block has 128
 * rows, so vectors add a quarter to its traffic, and not as much again. Where
 * rows are few, blocks of a cluster share k: up to eight. Attention is that of
 * decode/eager: tensor cores, and slots that each warp fills for itself.
 *
 * Weights and old keys are no kernel's output. Blocks ask for their first slots
 * before they wait for the kernel before: some 20 MB on all SMs, for which
 * memory needs more than 4 microseconds. That hides the end of one kernel, the
 * beginning of the next, and a norm between them.
 *
 * One sequence goes the way of step/fused.
 *
 * Predicts: 4.8 to 5.5 ms with 8 sequences, and 8.0 to 9.0 ms with 32. Products
 * and attention read at 3.9 to 4.2 TB/s, and the ends of 226 kernels cost one
 * to two microseconds each.
 */
#include "kernels/step/staged.cuh"

struct staged_way : staged_ways {
};

template <class F, class NORM, class END>
static __global__ void __launch_bounds__(SLOTS_THREADS, SLOTS_BLOCKS)
    staged_vectors(const product_rows r, const int b, const int splits,
                   const __grid_constant__ CUtensorMap w_map,
                   const __grid_constant__ CUtensorMap x_map, const NORM norm,
                   const END end)
{
    extern __shared__ char raw[];

    slots_block<F>(r, b, splits, &w_map, &x_map, norm, end, raw);
}

template <int G>
static __global__ void __launch_bounds__(ATTEND_THREADS, KEYS_BLOCKS)
    staged_keys(const attend t)
{
    extern __shared__ __align__(128) char raw[];

    keys_block<G>(t, raw);
}

struct staged_kernels {
    template <class F, class NORM, class END> static auto product(void)
    {
        return staged_vectors<F, NORM, END>;
    }
    template <int G> static auto keys(void)
    {
        return staged_keys<G>;
    }
};

// ANCHOR: product
/* A product, after a norm if r.gain is given, and `end`. */
template <class END>
static int staged_product(const chain &x, product_rows r, const END &end)
{
    if (x.m.s.b == 1)
        return staged_single(x, r, end);
    if (r.gain) {
        const int rc = staged_norm(x, r);

        if (rc)
            return rc;
        r.x = x.h;
    }
    return staged_slots<staged_kernels>(x, r, slots_given{}, end);
}
// ANCHOR_END: product

/* The chain of kernels/step/chain.cuh does stages in this way. */
template <> int chain_attend<staged_way>(const chain &x, const step_layer &l)
{
    return staged_attend<staged_kernels>(x, l);
}

template <>
int chain_product<staged_way>(const chain &x, product_rows r,
                              const end_turn &end)
{
    return staged_product(x, r, end);
}

template <>
int chain_product<staged_way>(const chain &x, product_rows r,
                              const end_add &end)
{
    return staged_product(x, r, end);
}

template <>
int chain_product<staged_way>(const chain &x, product_rows r,
                              const end_gate &end)
{
    return staged_product(x, r, end);
}

template <>
int chain_product<staged_way>(const chain &x, product_rows r,
                              const end_store &end)
{
    return staged_product(x, r, end);
}

extern "C" size_t step_staged_scratch(const struct kernel_case *c,
                                      const struct kernel_env *env)
{
    const struct step_shape s = step_shape(c);

    return staged_bytes(&s, env->sms);
}

extern "C" const char *step_staged_prepare(const struct kernel_case *c,
                                           const struct kernel_env *env,
                                           void *const *buf, void **state)
{
    return result_graph<staged_way>(c, env, buf, state);
}

extern "C" int step_staged(const struct kernel_case *,
                           const struct kernel_env *env, void *const *,
                           void *state)
{
    return result_launch(env, state);
}

extern "C" void step_staged_release(void *state)
{
    result_free(state);
}

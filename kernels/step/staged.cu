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
 * and attention read at 3.9 to 4.2 TB/s, and the ends of 225 kernels cost one
 * to two microseconds each.
 */
#include "kernels/step/keys.cuh"
#include "kernels/step/result.cuh"
#include "kernels/step/slots.cuh"

struct staged_way {
    static constexpr bool OVERLAP = true, AHEAD = false, FUSED = true;
};

/* What attention leaves lies behind the memory of other variants. */
static size_t staged_own(const struct step_shape *s, int sms)
{
    return (chain_bytes(s, sms) - step_own_at(s) + 255) / 256 * 256;
}

/* For one sequence: kernels of step/fused. */
struct single_way {
    static constexpr bool OVERLAP = true, AHEAD = false, FUSED = true;
};

template <int TOKENS, class END>
static __global__ void __launch_bounds__(SLOTS_THREADS, 2)
    staged_vectors(const product_rows r, const int b, const int splits,
                   const __grid_constant__ CUtensorMap w_map,
                   const __grid_constant__ CUtensorMap x_map, const END end)
{
    extern __shared__ char raw[];

    slots_block<slots_form<TOKENS>>(r, b, splits, &w_map, &x_map, end, raw);
}

template <int G>
static __global__ void __launch_bounds__(ATTEND_THREADS, KEYS_BLOCKS)
    staged_keys(const attend t)
{
    extern __shared__ __align__(128) char raw[];

    keys_block<G>(t, raw);
}

template <int TOKENS, class END>
static int staged_start(const chain &x, const product_rows &r, const END &end)
{
    return slots_launch<slots_form<TOKENS>>(x, staged_vectors<TOKENS, END>, r,
                                            end);
}

// ANCHOR: product
template <class END>
static int staged_product(const chain &x, product_rows r, const END &end)
{
    const int b = x.m.s.b;
    const dim3 one((r.n / 2 + ONE_WARPS - 1) / ONE_WARPS);

    if (b == 1 && r.gain)
        return chain_launch<staged_way>(x, one_vector<true, false, true, END>,
                                        one, ONE_THREADS, r, end);
    if (b == 1)
        return chain_launch<staged_way>(x, one_vector<true, false, false, END>,
                                        one, ONE_THREADS, r, end);
    if (r.gain) {
        const int rc = chain_launch<staged_way>(x, norm_vectors<true>, dim3(b),
                                                SMALL_THREADS, x.h, r.x, r.gain,
                                                r.k, r.shrink);

        if (rc)
            return rc;
        r.x = x.h;
    }
    return b <= 8    ? staged_start<8>(x, r, end)
           : b <= 16 ? staged_start<16>(x, r, end)
                     : staged_start<32>(x, r, end);
}
// ANCHOR_END: product

template <int G> static int staged_rows(const chain &x, const attend &t)
{
    const dim3 grid(t.pieces, t.kv, x.m.s.b);
    cudaLaunchAttribute with[2] = {};
    const cudaLaunchConfig_t config =
        slots_config({grid, 1, ATTEND_THREADS, KEYS_SHARED}, x.stream, with);
    const int rc = cudaFuncSetAttribute(
        staged_keys<G>, cudaFuncAttributeMaxDynamicSharedMemorySize,
        KEYS_SHARED);

    return rc ? rc : (int)cudaLaunchKernelEx(&config, staged_keys<G>, t);
}

static int staged_attend(const chain &x, const struct step_layer &l)
{
    const struct step_shape *const s = &x.m.s;
    const int pieces = keys_pieces_of(s);
    float *const values = (float *)(x.m.own + staged_own(s, x.sms));
    struct weight *const weights =
        (struct weight *)(values + (size_t)s->b * s->kv * pieces *
                                       ATTEND_GROUP * STEP_DEEP);
    const attend t = {l.to.a,   l.from.q,
                      l.from.k, l.from.v,
                      l.keys,   l.values,
                      values,   weights,
                      x.done,   s->kv,
                      s->l - 1, KEYS_SPAN,
                      pieces,   1.44269504f / sqrtf(STEP_DEEP)};

    if (s->b == 1)
        return chain_attend<single_way>(x, l);
    switch (s->heads / s->kv) {
    case 1:
        return staged_rows<1>(x, t);
    case 2:
        return staged_rows<2>(x, t);
    default:
        return staged_rows<4>(x, t);
    }
}

/* The chain of kernels/step/chain.cuh does stages in this way. */
template <> int chain_attend<staged_way>(const chain &x, const step_layer &l)
{
    return staged_attend(x, l);
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

    return step_own_at(&s) + staged_own(&s, env->sms) + keys_bytes(&s);
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

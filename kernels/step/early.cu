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
#include "kernels/step/late.cuh"
#include "kernels/step/persistent.cuh"

enum {
    EARLY_CARVEOUT = 72 /* percent: 164 KB of 228 */
};

struct early_way : late_ways {
};

struct early_shared {
    uint16_t keys[STAY_WARPS][STAY_SLOT], values[STAY_WARPS][STAY_SLOT];
    struct stay_piece piece;
    uint64_t full[STAY_WARPS];
};

// ANCHOR: ask
/* Asks for keys [first, last) of a row, and for their values. One lane. */
static __device__ inline void early_ask(early_shared *s, const attend &t,
                                        size_t row, int first, int last)
{
    const int warp = stay_warp(), bytes = (last - first) * STEP_DEEP * 2;
    const size_t from = (row * t.past + first) * STEP_DEEP;
    const uint64_t once = ptx_evict_first();

    ptx_mbar_expect(&s->full[warp], 2 * bytes);
    ptx_bulk_load(s->keys[warp], t.keys + from, bytes, &s->full[warp], once);
    ptx_bulk_load(s->values[warp], t.values + from, bytes, &s->full[warp],
                  once);
}
// ANCHOR_END: ask

/* t.span: keys of a warp, for which it asks STAY_KEYS at a time. */
template <int G>
static __global__ void __launch_bounds__(STAY_THREADS, 1)
    early_pieces(const attend t)
{
    extern __shared__ __align__(128) char raw[];
    early_shared *const s = (early_shared *)raw;
    const size_t row = blockIdx.x / t.pieces;
    const int piece = blockIdx.x % t.pieces, warp = stay_warp();
    const int first = min((piece * STAY_WARPS + warp) * t.span, t.past);
    const int last = min(first + t.span, t.past);
    attend_lane<G> x;

    ptx_next_kernel_may_start();
    if (stay_lane() == 0) {
        ptx_mbar_init(&s->full[warp], 1);
        ptx_mbar_init_fence();
        if (first < last)
            early_ask(s, t, row, first, min(first + STAY_KEYS, last));
    }
    __syncwarp();               /* the warp's barrier is ready */
    ptx_wait_for_last_kernel(); /* queries are its output */
#pragma unroll
    for (int g = 0; g < G; g++)
        stay_query<G>(x, g,
                      eight(t.q + (row * G + g) * STEP_DEEP +
                            stay_lane() % ATTEND_LANES * WIDTH));
    for (int from = first, turn = 0; from < last; from += STAY_KEYS, turn++) {
        const int next = from + STAY_KEYS;

        ptx_mbar_wait(&s->full[warp], turn % 2);
        stay_chunk<G>(x, t.scale, s->keys[warp], s->values[warp],
                      min(next, last) - from);
        __syncwarp(); /* all lanes have read them */
        if (stay_lane() == 0 && next < last)
            early_ask(s, t, row, next, min(next + STAY_KEYS, last));
    }
    if (piece == 0 && warp == 0)
        attend_page<G>(x, t, row);
    stay_join<G>(x, t, s->piece, row, [&](uint2 two) {
        *(uint2 *)(t.a + (row * G + warp) * STEP_DEEP + stay_lane() * 4) = two;
    });
}

template <int G> static int early_rows(const chain &x, const attend &t)
{
    const int bytes = sizeof(struct early_shared);
    cudaLaunchAttribute soon = {};
    cudaLaunchConfig_t config = {};
    int rc = cudaFuncSetAttribute(
        early_pieces<G>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);

    if (rc == 0)
        rc = cudaFuncSetAttribute(
            early_pieces<G>, cudaFuncAttributePreferredSharedMemoryCarveout,
            EARLY_CARVEOUT);
    if (rc)
        return rc;
    soon.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    soon.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = dim3(t.kv * t.pieces);
    config.blockDim = dim3(STAY_THREADS);
    config.dynamicSmemBytes = bytes;
    config.stream = x.stream;
    config.attrs = &soon;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, early_pieces<G>, t);
}

template <> int chain_attend<early_way>(const chain &x, const step_layer &l)
{
    const struct step_shape *const s = &x.m.s;
    const attend t = stay_attention(s, l, x.m.own, x.sms);

    return s->heads == s->kv       ? early_rows<1>(x, t)
           : s->heads == 2 * s->kv ? early_rows<2>(x, t)
                                   : early_rows<4>(x, t);
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
    const size_t chain = chain_bytes(&s, env->sms);
    const size_t stay = stay_bytes(&s, env->sms);

    return chain > stay ? chain : stay;
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

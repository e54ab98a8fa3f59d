/*
 * prefill/roles - a warp group that only loads.
 *
 * O = softmax(scale Q K') V.
 *
 * In prefill/wgmma all threads meet after each tile, so that one of them knows
 * that a slot is free. So both groups do their softmax at about the same time,
 * and the tensor cores wait for both. Here a slot has a second barrier, where
 * each warp says for itself that its products are done. A thread of its own
 * waits for that and asks for the next tile. Keys and values have slots of
 * their own: keys are free before the softmax.
 *
 * The groups never wait for each other, and one may be a tile ahead. The group
 * that loads gives its registers to them: 232 a thread.
 *
 * Predicts: 1.15 times prefill/wgmma.
 */
#include "kernels/prefill/producer.cuh"
#include "kernels/trace.cuh"

template <int D>
static __global__ void __launch_bounds__(THREADS, 1)
    roles(struct attention a, const __grid_constant__ CUtensorMap q_map,
          const __grid_constant__ CUtensorMap k_map,
          const __grid_constant__ CUtensorMap v_map)
{
    extern __shared__ char raw[];
    const work w = work_of(a, blockIdx.y, blockIdx.x);
    const float scale = a.scale * 1.44269504f; /* log2(e) */

    // ANCHOR: inner
    const auto multiply = [&](const room<D> &r) {
        barriers &b = *r.b;
        float o[D / 2] = {};
        struct online of = online_begin();

        TRACE_OPEN(GROUP, threadIdx.x / WGMMA_GROUP,
                   threadIdx.x % WGMMA_GROUP == 0);
        for (int i = 0; i < w.tiles; i++) {
            const int slot = i % SLOTS;
            uint32_t p[KEYS / WGMMA_DEEP][4];
            float s[KEYS / 2], back[2];

            ptx_mbar_wait(&b.k_full[slot], parity(i));
            TRACE_BEGIN(SCORES, i);
            wgmma_begin();
            start_scores<D>(s, r.q, r.keys(i));
            wgmma_commit();
            wgmma_wait<0>();
            wgmma_landed(s);
            TRACE_END(SCORES, i);
            TRACE_BEGIN(SOFTMAX, i);
            done_with(&b.k_empty[slot]);
            if (i == 0)
                hide_first(s, a, w);
            soften(s, scale, of, back);
            scale_sums(o, back);
            pack(p, s);
            TRACE_END(SOFTMAX, i);
            ptx_mbar_wait(&b.v_full[slot], parity(i));
            TRACE_BEGIN(VALUES, i);
            wgmma_begin();
            start_values<D>(o, p, r.values(i));
            wgmma_commit();
            wgmma_wait<0>();
            wgmma_landed(o);
            TRACE_END(VALUES, i);
            done_with(&b.v_empty[slot]);
        }
        put_rows<D>(a, w.first + threadIdx.x / WARP * 16, w.h, o, of);
        TRACE_CLOSE();
    };
    // ANCHOR_END: inner
    go<D>(a, w, &q_map, &k_map, &v_map, raw, multiply);
}

extern "C" const char *prefill_roles_prepare(const struct kernel_case *c,
                                             const struct kernel_env *,
                                             void *const *buf, void **state)
{
    const char *const why = prefill_num(c, "d") == 64
                                ? with_room(roles<64>, bytes<64>::SHARED)
                                : with_room(roles<128>, bytes<128>::SHARED);

    return why ? why : maps_open(c, buf, state);
}

extern "C" int prefill_roles(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *state)
{
    const struct attention a = attention_of(c, buf);
    const struct maps *const m = (const struct maps *)state;
    const dim3 grid(a.heads, ceil_div(a.l, HIGH));
    const cudaStream_t to = (cudaStream_t)env->stream;

    if (prefill_num(c, "d") == 64)
        roles<64>
            <<<grid, THREADS, bytes<64>::SHARED, to>>>(a, m->q, m->k, m->v);
    else
        roles<128>
            <<<grid, THREADS, bytes<128>::SHARED, to>>>(a, m->q, m->k, m->v);
    return cudaGetLastError();
}
